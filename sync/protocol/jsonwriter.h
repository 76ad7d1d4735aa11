#pragma once

#include "models/domain/clock.h"
#include "models/domain/decimalvalue.h"

#include <QByteArray>
#include <QList>
#include <QString>

namespace daybook {

/// Writes one JSON object without white space, its members in the order of the calls: equal calls give equal
/// bytes. Names are plain ASCII.
class JsonWriter
{
public:
    JsonWriter &text(QLatin1StringView name, const QString &value);
    JsonWriter &number(QLatin1StringView name, qint64 value);
    JsonWriter &number(QLatin1StringView name, const DecimalValue &value);
    JsonWriter &flag(QLatin1StringView name, bool value);
    /// RFC 3339 in UTC.
    JsonWriter &time(QLatin1StringView name, Instant value);
    /// \p value is JSON already.
    JsonWriter &json(QLatin1StringView name, const QByteArray &value);

    QByteArray object() const { return '{' + m_members + '}'; }

private:
    QByteArray m_members;
};

QByteArray jsonString(const QString &text);
/// \p elements are JSON already.
QByteArray jsonArray(const QList<QByteArray> &elements);

} // namespace daybook
