#include "models/domain/clock.h"

namespace daybook {

QDateTime toUtcDateTime(Instant at)
{
    return QDateTime::fromMSecsSinceEpoch(toEpochMilliseconds(at), Qt::UTC);
}

Instant SystemClock::now() const
{
    return std::chrono::floor<Milliseconds>(std::chrono::system_clock::now());
}

Milliseconds SystemClock::steady() const
{
    return std::chrono::floor<Milliseconds>(std::chrono::steady_clock::now().time_since_epoch());
}

} // namespace daybook
