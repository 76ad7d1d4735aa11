#include "sync/client/dispatcher.h"

#include <algorithm>

namespace daybook {

void Dispatcher::send(const TransportRequest &request, Transport::Handler handler)
{
    const quint64 key = ++m_lastKey;
    m_calls[key] =
        m_transport.send(request, [this, key, handler = std::move(handler)](const TransportReply &reply) {
            // The call outlives its handler: destroying it may destroy this very function object.
            const auto ended = m_calls.extract(key);
            handler(reply);
        });
}

int Dispatcher::freeLanes(int open) const { return std::max(0, open - static_cast<int>(m_calls.size())); }

} // namespace daybook
