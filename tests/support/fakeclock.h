#pragma once

#include "models/domain/clock.h"

#include <atomic>

namespace daybook {

/// A clock that goes only when told. **Thread:** any.
class FakeClock final : public Clock
{
public:
    Instant now() const override { return fromEpochMilliseconds(m_now); }
    Milliseconds steady() const override { return Milliseconds(m_steady); }

    /// Sets the date, forwards or back; steady time does not move.
    void setNow(Instant now) { m_now = toEpochMilliseconds(now); }
    /// Lets time pass on both clocks.
    void advance(Milliseconds by)
    {
        m_now += by.count();
        m_steady += by.count();
    }

private:
    std::atomic<qint64> m_now = 1'768'291'200'000; // 2026-01-13T08:00:00Z
    std::atomic<qint64> m_steady = 0;
};

} // namespace daybook
