#include "ui/timetext.h"

#include "models/items/recordedtext.h"

#include <QCoreApplication>
#include <QLocale>

namespace daybook {

using namespace std::chrono;

namespace {

/// The translation context of this file.
struct TimeText
{
    Q_DECLARE_TR_FUNCTIONS(TimeText)
};

} // namespace

QString durationText(Milliseconds duration)
{
    duration = std::max(duration, Milliseconds(0));
    if (duration < minutes(1))
        return TimeText::tr("%1 s").arg(floor<seconds>(duration).count());
    if (duration < hours(1))
        return TimeText::tr("%1 min").arg(floor<minutes>(duration).count());
    if (duration < days(2))
        return TimeText::tr("%1 h").arg(floor<hours>(duration).count());
    return TimeText::tr("%1 d").arg(floor<days>(duration).count());
}

QString momentText(Instant at, Instant now)
{
    const QDateTime moment = toUtcDateTime(at).toLocalTime();
    const bool today = moment.date() == toUtcDateTime(now).toLocalTime().date();
    const QLocale locale;
    return locale.toString(moment, today ? timeFormat(locale) : dateTimeFormat(locale));
}

} // namespace daybook
