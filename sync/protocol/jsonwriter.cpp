#include "sync/protocol/jsonwriter.h"

#include "models/domain/recordedat.h"

#include <boost/json/serialize.hpp>

namespace daybook {

JsonWriter &JsonWriter::text(QLatin1StringView name, const QString &value)
{
    return json(name, jsonString(value));
}

JsonWriter &JsonWriter::number(QLatin1StringView name, qint64 value)
{
    return json(name, QByteArray::number(value));
}

JsonWriter &JsonWriter::number(QLatin1StringView name, const DecimalValue &value)
{
    return json(name, value.toString().toLatin1());
}

JsonWriter &JsonWriter::flag(QLatin1StringView name, bool value)
{
    return json(name, value ? QByteArrayLiteral("true") : QByteArrayLiteral("false"));
}

JsonWriter &JsonWriter::time(QLatin1StringView name, Instant value)
{
    return text(name, RecordedAt{value, {}}.toRfc3339());
}

JsonWriter &JsonWriter::json(QLatin1StringView name, const QByteArray &value)
{
    if (!m_members.isEmpty())
        m_members += ',';
    m_members += '"' + QByteArray(name.data(), name.size()) + "\":" + value;
    return *this;
}

QByteArray jsonString(const QString &text)
{
    const QByteArray utf8 = text.toUtf8();
    return QByteArray::fromStdString(boost::json::serialize(
        boost::json::string_view(utf8.constData(), static_cast<std::size_t>(utf8.size()))));
}

QByteArray jsonArray(const QList<QByteArray> &elements) { return '[' + elements.join(',') + ']'; }

} // namespace daybook
