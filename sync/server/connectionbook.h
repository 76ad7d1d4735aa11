#pragma once

#include "sync/server/http.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace daybook {

class HttpConnection;

/// Who is connected, and from where: keeps the limits on connections, and reaches all of them when the server
/// ends. **Thread:** any.
class ConnectionBook
{
public:
    explicit ConnectionBook(const HttpLimits &limits) : m_limits(limits) {}

    bool hasRoomFor(const QString &address) const;
    void enter(const std::shared_ptr<HttpConnection> &connection, const QString &address);
    /// Called by every connection when it ends; the second time is nothing.
    void leave(const HttpConnection *connection);

    std::vector<std::shared_ptr<HttpConnection>> all() const;
    void waitUntilEmpty(std::chrono::milliseconds atMost) const;

private:
    struct Visitor
    {
        std::weak_ptr<HttpConnection> connection;
        QString address;
    };

    const HttpLimits m_limits;
    mutable std::mutex m_mutex;
    mutable std::condition_variable m_becameEmpty;
    std::unordered_map<const HttpConnection *, Visitor> m_visitors;
    std::unordered_map<QString, std::size_t> m_perAddress;
};

} // namespace daybook
