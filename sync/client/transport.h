#pragma once

#include "models/domain/clock.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QUrl>

#include <functional>
#include <memory>
#include <optional>

namespace daybook {

/// How long one exchange may take: connect, send, receive to the last byte.
inline constexpr Milliseconds exchangeDeadline = std::chrono::seconds(30);

/// A request as handed to the network. `url` is absolute; headers hold all there is, Authorization too.
struct TransportRequest
{
    QByteArray method; ///< GET, POST, PUT, DELETE
    QUrl url;
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    Milliseconds deadline = exchangeDeadline;
};

/// How an exchange ended.
struct TransportReply
{
    enum class End {
        Complete,     ///< status line, headers and the whole body are here
        NotConnected, ///< nothing can have been sent: no connection, DNS, TLS, proxy
        NoReply, ///< it may have been sent; no complete answer (deadline, connection lost, cut or oversized
                 ///< body)
        Aborted, ///< ended by this program
    };

    End end = End::NoReply;
    int status = 0; ///< 0 where no status line came
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
    QString errorText; ///< the network's own words, for the log and the attempt's detail

    /// The value of the only header line of that name (case-insensitive); empty where there is none or there
    /// are several.
    std::optional<QByteArray> header(const char *name) const;
};

/// One exchange under way. Destroying it aborts it without calling the handler; allowed in the handler too.
class TransportCall
{
public:
    virtual ~TransportCall() = default;
};

/// Seam: requests out, replies in. **Thread:** the one that made it; handlers are called from its event loop,
/// exactly once per request and never from inside send(); a handler must not destroy the transport.
class Transport
{
public:
    using Handler = std::function<void(const TransportReply &)>;

    virtual ~Transport() = default;
    [[nodiscard]] virtual std::unique_ptr<TransportCall> send(const TransportRequest &request,
                                                              Handler handler) = 0;
};

} // namespace daybook
