#include "sync/client/retryafter.h"

#include "sync/protocol/endpoints.h"

#include <QDate>
#include <QTime>

#include <algorithm>
#include <array>

namespace daybook {

namespace {

constexpr std::array months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// RFC 9110, 5.6.7: what would be more than 50 years ahead is the past century's.
int fullYear(int twoDigits, Instant now)
{
    const int thisYear = toUtcDateTime(now).date().year();
    const int year = thisYear - thisYear % 100 + twoDigits;
    return year > thisYear + 50 ? year - 100 : year;
}

std::optional<Instant> instant(int year, const QByteArray &monthName, const QByteArray &day,
                               const QByteArray &time)
{
    const auto month = std::find(months.begin(), months.end(), monthName);
    const int monthNumber = static_cast<int>(month - months.begin()) + 1;
    const QDate date(year, monthNumber, day.toInt());
    const QTime clockTime = QTime::fromString(QString::fromLatin1(time), QStringLiteral("HH:mm:ss"));
    if (month == months.end() || !date.isValid() || !clockTime.isValid())
        return std::nullopt;
    return fromEpochMilliseconds(QDateTime(date, clockTime, Qt::UTC).toMSecsSinceEpoch());
}

bool isAllDigits(const QByteArray &text)
{
    return !text.isEmpty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

std::optional<Instant> fromHttpDate(const QByteArray &text, Instant now)
{
    const QList<QByteArray> words = text.simplified().split(' ');
    if (words.size() == 6 && words[5] == "GMT") // Sun, 06 Nov 1994 08:49:37 GMT
        return instant(words[3].toInt(), words[2], words[1], words[4]);
    if (words.size() == 5) // Sun Nov  6 08:49:37 1994
        return instant(words[4].toInt(), words[1], words[2], words[3]);
    if (words.size() == 4 && words[3] == "GMT") { // Sunday, 06-Nov-94 08:49:37 GMT
        const QList<QByteArray> date = words[1].split('-');
        if (date.size() == 3 && date[2].size() == 2 && isAllDigits(date[2]))
            return instant(fullYear(date[2].toInt(), now), date[1], date[0], words[2]);
    }
    return std::nullopt;
}

std::optional<Milliseconds> retryAfter(const TransportReply &reply, Instant now)
{
    const QByteArray text = reply.header(header::retryAfter).value_or(QByteArray()).trimmed();
    if (isAllDigits(text)) {
        bool fits = false;
        const qint64 seconds = text.toLongLong(&fits);
        const auto limit = std::chrono::duration_cast<std::chrono::seconds>(maximumRetryAfter);
        return fits && seconds < limit.count() ? Milliseconds(std::chrono::seconds(seconds))
                                               : maximumRetryAfter;
    }
    const std::optional<Instant> until = fromHttpDate(text, now);
    if (!until)
        return std::nullopt;
    const Instant serverNow = fromHttpDate(reply.header("Date").value_or(QByteArray()), now).value_or(now);
    return std::clamp<Milliseconds>(*until - serverNow, Milliseconds(0), maximumRetryAfter);
}

} // namespace daybook
