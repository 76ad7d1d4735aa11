#include "sync/client/timerwakeup.h"

namespace daybook {

TimerWakeup::TimerWakeup()
{
    m_timer.setSingleShot(true);
    QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
        if (m_handler)
            m_handler();
    });
}

void TimerWakeup::onWake(std::function<void()> handler) { m_handler = std::move(handler); }

void TimerWakeup::schedule(Milliseconds delay) { m_timer.start(delay); }

void TimerWakeup::cancel() { m_timer.stop(); }

} // namespace daybook
