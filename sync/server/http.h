#pragma once

#include "models/domain/result.h"
#include "sync/server/request.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

namespace daybook {

/// What one client may take of the server, in bytes, time and connections.
struct HttpLimits
{
    std::size_t uriBytes = 2 * 1024;
    std::size_t headerBytes = 8 * 1024; ///< request line included
    std::size_t bodyBytes = maximumBodyBytes;
    std::chrono::milliseconds request = std::chrono::seconds(10); ///< from its first byte to its last
    std::chrono::milliseconds idle = std::chrono::seconds(30);    ///< between two requests
    std::chrono::milliseconds write = std::chrono::seconds(30);   ///< for one whole reply
    std::chrono::milliseconds linger = std::chrono::seconds(2);   ///< after the last reply, for it to be read
    std::size_t connections = 10'000;
    std::size_t connectionsPerAddress = 2'000;
};

struct HttpOptions
{
    QString host = QStringLiteral("127.0.0.1"); ///< an IP address
    quint16 port = 0;                           ///< 0 takes a free one
    HttpLimits limits;
};

/// Whether only programs of this computer reach \p host; empty when it is no IP address.
std::optional<bool> isLoopback(const QString &host);

/// What answers the requests: called from the server's threads, and answers from any thread, once.
using HttpHandler = std::function<void(ServerRequest, ReplyHandler)>;

/// The HTTP/1.1 front: sockets, framing, limits and deadlines; what a request means is the handler's matter.
/// Requests of one connection are handed over one at a time and answered in their order. Whatever is
/// malformed is answered here and the connection closed, so that no byte behind it is taken for a request.
/// **Thread:** all functions from the one that made it. **Ends:** once drain() or the destructor has
/// returned, the handler is not called any more; replies that come later are dropped, at any time safely.
class HttpServer
{
public:
    /// Listens and serves from now on.
    static Result<std::unique_ptr<HttpServer>> listen(const HttpOptions &options, HttpHandler handler);
    /// Cuts every connection that is still there.
    ~HttpServer();

    /// Such as `http://127.0.0.1:8640`, with the port that was taken.
    QString url() const;

    /// Stops accepting, lets requests that have begun be answered for at most \p grace, then cuts the rest.
    void drain(std::chrono::milliseconds grace);

private:
    struct Private;
    explicit HttpServer(std::unique_ptr<Private> d);

    std::unique_ptr<Private> d;
};

} // namespace daybook
