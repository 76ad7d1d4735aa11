#pragma once

#include "sync/client/wakeup.h"

#include <QTimer>

namespace daybook {

/// Wakeup over the event loop's timer.
class TimerWakeup final : public Wakeup
{
public:
    TimerWakeup();

    void onWake(std::function<void()> handler) override;
    void schedule(Milliseconds delay) override;
    void cancel() override;

private:
    QTimer m_timer;
    std::function<void()> m_handler;
};

} // namespace daybook
