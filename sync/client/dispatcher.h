#pragma once

#include "sync/client/transport.h"

#include <map>

namespace daybook {

/// The lanes to the server: each carries one exchange at a time, from the hand-over to its one end.
/// **Thread:** that of its transport. **Ends:** what is still under way is aborted without a word.
class Dispatcher
{
public:
    explicit Dispatcher(Transport &transport) : m_transport(transport) {}
    Q_DISABLE_COPY_MOVE(Dispatcher)

    /// \p handler is called exactly once, with its lane already free, unless abortAll() comes first.
    void send(const TransportRequest &request, Transport::Handler handler);
    /// How many more exchanges may start where \p open lanes are open.
    int freeLanes(int open) const;
    bool isEmpty() const { return m_calls.empty(); }
    void abortAll() { m_calls.clear(); }

private:
    Transport &m_transport;
    quint64 m_lastKey = 0;
    std::map<quint64, std::unique_ptr<TransportCall>> m_calls;
};

} // namespace daybook
