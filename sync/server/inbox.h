#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <limits>
#include <mutex>
#include <vector>

namespace daybook {

/// What threads hand over to the threads that work on it, in the order it arrived. **Thread:** any.
/// **Ends:** close() first; whoever takes gets all that was put before it.
template<typename T>
class Inbox
{
public:
    explicit Inbox(std::size_t room = std::numeric_limits<std::size_t>::max()) : m_room(room) {}

    /// False, and \p item is left as it is: there is no room for it.
    bool put(T &&item)
    {
        {
            const std::lock_guard lock(m_mutex);
            if (m_items.size() >= m_room)
                return false;
            m_items.push_back(std::move(item));
        }
        m_changed.notify_one();
        return true;
    }

    /// Waits for something and takes up to \p most of what is there. Empty: closed, and nothing is left.
    std::vector<T> take(std::size_t most)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_closed || !m_items.empty(); });
        const auto count = static_cast<std::ptrdiff_t>(std::min(most, m_items.size()));
        const auto end = m_items.begin() + count;
        std::vector<T> taken(std::move_iterator(m_items.begin()), std::move_iterator(end));
        m_items.erase(m_items.begin(), end);
        return taken;
    }

    void close()
    {
        {
            const std::lock_guard lock(m_mutex);
            m_closed = true;
        }
        m_changed.notify_all();
    }

private:
    const std::size_t m_room;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<T> m_items;
    bool m_closed = false;
};

} // namespace daybook
