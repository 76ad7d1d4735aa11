#pragma once

#include "models/domain/ids.h"
#include "sync/client/transport.h"

#include <map>

namespace daybook {

/// The lanes to the server: each carries one operation's exchange at a time, from the hand-over to its one
/// end.
/// **Thread:** that of its transport. **Ends:** what is still under way is aborted without a word.
class Dispatcher
{
public:
    explicit Dispatcher(Transport &transport) : m_transport(transport) {}
    Q_DISABLE_COPY_MOVE(Dispatcher)

    /// \p handler is called once, its lane already free, unless the exchange is aborted before. An earlier
    /// exchange of the same operation that is still under way (its lease ran out, as in a long sleep) is.
    void send(const OperationId &operation, const TransportRequest &request, Transport::Handler handler);
    /// How many more operations may start where \p open lanes are open.
    int freeLanes(int open) const;
    bool isEmpty() const { return m_calls.empty(); }
    void abortAll() { m_calls.clear(); }

private:
    Transport &m_transport;
    std::map<OperationId, std::unique_ptr<TransportCall>> m_calls;
};

} // namespace daybook
