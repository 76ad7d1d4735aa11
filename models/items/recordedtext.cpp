#include "models/items/recordedtext.h"

namespace daybook {

QString dateTimeFormat(const QLocale &locale)
{
    QString format = locale.dateTimeFormat(QLocale::ShortFormat);
    if (!format.contains(QLatin1String("yyyy")))
        format.replace(QLatin1String("yy"), QLatin1String("yyyy"));
    return format;
}

QString recordedText(const RecordedAt &recordedAt, const QLocale &locale)
{
    const QDateTime wallClock = recordedAt.wallClock();
    const QString text =
        locale.toString(QDateTime(wallClock.date(), wallClock.time(), Qt::UTC), dateTimeFormat(locale));
    return isRecordedHere(recordedAt) ? text : text + QLatin1Char(' ') + offsetText(recordedAt);
}

bool isRecordedHere(const RecordedAt &recordedAt)
{
    return recordedAt.utcOffset == recordedHere(recordedAt.instant).utcOffset;
}

QString offsetText(const RecordedAt &recordedAt) { return recordedAt.wallClock().timeZoneAbbreviation(); }

} // namespace daybook
