#include "sync/client/transport.h"

namespace daybook {

std::optional<QByteArray> TransportReply::header(const char *name) const
{
    std::optional<QByteArray> found;
    for (const auto &[key, value] : headers) {
        if (key.compare(name, Qt::CaseInsensitive) != 0)
            continue;
        if (found)
            return std::nullopt;
        found = value;
    }
    return found;
}

} // namespace daybook
