#pragma once

#include <QDateTime>

#include <chrono>

namespace daybook {

using Milliseconds = std::chrono::milliseconds;

/// A point in time, UTC, to the millisecond.
using Instant = std::chrono::sys_time<Milliseconds>;

constexpr qint64 toEpochMilliseconds(Instant at) { return at.time_since_epoch().count(); }
constexpr Instant fromEpochMilliseconds(qint64 milliseconds) { return Instant(Milliseconds(milliseconds)); }
QDateTime toUtcDateTime(Instant at);

/// Seam: what time it is. Wall-clock time may jump; steady time does not and says nothing about the date.
class Clock
{
public:
    virtual ~Clock() = default;
    virtual Instant now() const = 0;
    /// Time since an arbitrary start, never going back. For durations and deadlines.
    virtual Milliseconds steady() const = 0;
};

/// The computer's clocks. **Thread:** any.
class SystemClock final : public Clock
{
public:
    Instant now() const override;
    Milliseconds steady() const override;
};

} // namespace daybook
