#include "sync/server/request.h"

namespace daybook {

QList<QByteArray> ServerRequest::headerLines(const char *name) const
{
    QList<QByteArray> values;
    for (const auto &[lineName, value] : headers) {
        if (lineName.compare(name, Qt::CaseInsensitive) == 0)
            values.append(value.trimmed());
    }
    return values;
}

} // namespace daybook
