#include "sync/client/dispatcher.h"

#include <algorithm>

namespace daybook {

void Dispatcher::send(const OperationId &operation, const TransportRequest &request,
                      Transport::Handler handler)
{
    m_calls.erase(operation);
    m_calls[operation] = m_transport.send(
        request, [this, operation, handler = std::move(handler)](const TransportReply &reply) {
            // The call outlives its handler: destroying it may destroy this very function object.
            const auto ended = m_calls.extract(operation);
            handler(reply);
        });
}

int Dispatcher::freeLanes(int open) const { return std::max(0, open - static_cast<int>(m_calls.size())); }

} // namespace daybook
