#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <functional>
#include <optional>
#include <utility>

namespace daybook {

/// What a single request may carry; longer ones are 413.
inline constexpr qint64 maximumBodyBytes = 64 * 1024;

/// A request without its socket: what the handlers see.
struct ServerRequest
{
    QByteArray method;
    QByteArray target;                                ///< path and query as they came
    QList<std::pair<QByteArray, QByteArray>> headers; ///< in their order, repeated lines kept apart
    QByteArray body;
    QString peerAddress; ///< for rate limits only

    /// The values of all header lines of that name, case-insensitive.
    QList<QByteArray> headerLines(const char *name) const;
};

/// A reply without its socket. `Daybook-Protocol`, `Date` and `Content-Length` are added by `http`.
struct ServerReply
{
    int status = 200;
    QByteArray contentType; ///< empty where there is no body
    QList<std::pair<QByteArray, QByteArray>> headers;
    QByteArray body;
};

using ReplyHandler = std::function<void(ServerReply)>;

} // namespace daybook
