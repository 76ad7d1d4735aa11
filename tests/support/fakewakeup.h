#pragma once

#include "sync/client/wakeup.h"

#include <optional>
#include <utility>

namespace daybook {

/// A wake-up that comes when the test says so.
class FakeWakeup final : public Wakeup
{
public:
    void onWake(std::function<void()> handler) override { m_handler = std::move(handler); }
    void schedule(Milliseconds delay) override { m_pending = delay; }
    void cancel() override { m_pending.reset(); }

    /// The delay asked for; empty when nothing is scheduled.
    std::optional<Milliseconds> pending() const { return m_pending; }
    int fired() const { return m_fired; }
    void fire()
    {
        m_pending.reset();
        ++m_fired;
        m_handler();
    }

private:
    std::function<void()> m_handler;
    std::optional<Milliseconds> m_pending;
    int m_fired = 0;
};

} // namespace daybook
