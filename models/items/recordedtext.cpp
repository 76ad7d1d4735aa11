#include "models/items/recordedtext.h"

namespace daybook {

QString timeFormat(const QLocale &locale)
{
    QString format = locale.timeFormat(QLocale::ShortFormat);
    for (const auto seconds : {QLatin1String(":ss"), QLatin1String(".ss")})
        format.remove(seconds);
    return format;
}

QString dateTimeFormat(const QLocale &locale)
{
    QString date = locale.dateFormat(QLocale::ShortFormat);
    if (!date.contains(QLatin1String("yyyy")))
        date.replace(QLatin1String("yy"), QLatin1String("yyyy"));
    return date + QLatin1Char(' ') + timeFormat(locale);
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
