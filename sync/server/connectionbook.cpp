#include "sync/server/connectionbook.h"

namespace daybook {

bool ConnectionBook::hasRoomFor(const QString &address) const
{
    const std::lock_guard lock(m_mutex);
    const auto there = m_perAddress.find(address);
    return m_visitors.size() < m_limits.connections &&
           (there == m_perAddress.end() || there->second < m_limits.connectionsPerAddress);
}

void ConnectionBook::enter(const std::shared_ptr<HttpConnection> &connection, const QString &address)
{
    const std::lock_guard lock(m_mutex);
    m_visitors.emplace(connection.get(), Visitor{connection, address});
    ++m_perAddress[address];
}

void ConnectionBook::leave(const HttpConnection *connection)
{
    const std::lock_guard lock(m_mutex);
    const auto visitor = m_visitors.find(connection);
    if (visitor == m_visitors.end())
        return;
    const auto there = m_perAddress.find(visitor->second.address);
    if (--there->second == 0)
        m_perAddress.erase(there);
    m_visitors.erase(visitor);
    if (m_visitors.empty())
        m_becameEmpty.notify_all();
}

std::vector<std::shared_ptr<HttpConnection>> ConnectionBook::all() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<std::shared_ptr<HttpConnection>> connections;
    connections.reserve(m_visitors.size());
    for (const auto &[key, visitor] : m_visitors) {
        if (auto connection = visitor.connection.lock())
            connections.push_back(std::move(connection));
    }
    return connections;
}

void ConnectionBook::waitUntilEmpty(std::chrono::milliseconds atMost) const
{
    std::unique_lock lock(m_mutex);
    m_becameEmpty.wait_for(lock, atMost, [this] { return m_visitors.empty(); });
}

} // namespace daybook
