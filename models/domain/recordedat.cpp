#include "models/domain/recordedat.h"

#include <optional>

namespace daybook {

namespace {

using namespace std::chrono;

/// Reads fixed-width pieces off a text; once one does not fit, all is refused.
class Reader
{
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    int number(size_t width)
    {
        int value = 0;
        for (size_t i = 0; i < width; ++i)
            value = value * 10 + digit();
        return value;
    }

    bool take(char expected)
    {
        if (m_text.empty() || m_text.front() != expected)
            return false;
        m_text.remove_prefix(1);
        return true;
    }

    void need(bool there) { m_good = m_good && there; }

    /// Milliseconds out of 1 to 9 fraction digits; further ones are cut off, not rounded.
    int fraction()
    {
        int value = 0;
        size_t count = 0;
        for (; count < 9 && !m_text.empty() && isDigit(m_text.front()); ++count) {
            const int next = digit();
            if (count < 3)
                value = value * 10 + next;
        }
        need(count > 0);
        for (; count < 3; ++count)
            value *= 10;
        return value;
    }

    bool good() const { return m_good; }
    bool atEnd() const { return m_text.empty(); }

private:
    static bool isDigit(char c) { return c >= '0' && c <= '9'; }

    int digit()
    {
        if (m_text.empty() || !isDigit(m_text.front())) {
            m_good = false;
            return 0;
        }
        const int value = m_text.front() - '0';
        m_text.remove_prefix(1);
        return value;
    }

    std::string_view m_text;
    bool m_good = true;
};

minutes readOffset(Reader &reader)
{
    if (reader.take('Z') || reader.take('z'))
        return {};
    const bool negative = reader.take('-');
    reader.need(negative || reader.take('+'));
    const int hour = reader.number(2);
    reader.need(reader.take(':'));
    const int minute = reader.number(2);
    reader.need(hour <= 23 && minute <= 59);
    const minutes offset = hours(hour) + minutes(minute);
    return negative ? -offset : offset;
}

Error noSuchTime()
{
    return {
        ErrorKind::InvalidTime,
        QStringLiteral("the time is not an RFC 3339 time with an offset, such as 2026-01-13T09:10:00+09:00")};
}

} // namespace

Result<RecordedAt> RecordedAt::fromRfc3339(std::string_view text)
{
    Reader reader(text);
    const int y = reader.number(4);
    reader.need(reader.take('-'));
    const int m = reader.number(2);
    reader.need(reader.take('-'));
    const int d = reader.number(2);
    reader.need(reader.take('T') || reader.take('t'));
    const int hour = reader.number(2);
    reader.need(reader.take(':'));
    const int minute = reader.number(2);
    reader.need(reader.take(':'));
    const int second = reader.number(2);
    const int millisecond = reader.take('.') ? reader.fraction() : 0;
    const minutes offset = readOffset(reader);
    const year_month_day date{year(y), month(static_cast<unsigned>(m)), day(static_cast<unsigned>(d))};
    if (!reader.good() || !reader.atEnd() || !date.ok() || hour > 23 || minute > 59 || second > 59)
        return noSuchTime();

    const Instant local =
        sys_days(date) + hours(hour) + minutes(minute) + seconds(second) + milliseconds(millisecond);
    const Instant instant = local - offset;
    constexpr Instant first = sys_days(year(1) / January / 1);
    constexpr Instant end = sys_days(year(10000) / January / 1);
    if (instant < first || instant >= end)
        return noSuchTime();
    return RecordedAt{instant, offset};
}

QString RecordedAt::toRfc3339() const
{
    const auto local = instant + utcOffset;
    const auto days = floor<std::chrono::days>(local);
    const year_month_day date(days);
    const hh_mm_ss time(local - days);
    const auto two = [](auto number) { return QString::number(number).rightJustified(2, QLatin1Char('0')); };
    QString text = QString::number(static_cast<int>(date.year())).rightJustified(4, QLatin1Char('0')) +
                   QLatin1Char('-') + two(static_cast<unsigned>(date.month())) + QLatin1Char('-') +
                   two(static_cast<unsigned>(date.day())) + QLatin1Char('T') + two(time.hours().count()) +
                   QLatin1Char(':') + two(time.minutes().count()) + QLatin1Char(':') +
                   two(time.seconds().count());
    if (time.subseconds().count() != 0)
        text +=
            QLatin1Char('.') + QString::number(time.subseconds().count()).rightJustified(3, QLatin1Char('0'));
    if (utcOffset == minutes(0))
        return text + QLatin1Char('Z');
    const minutes magnitude = abs(utcOffset);
    return text + QLatin1Char(utcOffset < minutes(0) ? '-' : '+') + two(magnitude / hours(1)) +
           QLatin1Char(':') + two((magnitude % hours(1)).count());
}

QDateTime RecordedAt::wallClock() const
{
    return toUtcDateTime(instant).toOffsetFromUtc(static_cast<int>(seconds(utcOffset).count()));
}

RecordedAt recordedHere(Instant instant)
{
    const int offset = toUtcDateTime(instant).toLocalTime().offsetFromUtc();
    return {instant, floor<minutes>(seconds(offset))};
}

} // namespace daybook
