#pragma once

#include "sync/protocol/problem.h"
#include "sync/server/connectionbook.h"
#include "sync/server/httpmessage.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>

#include <memory>
#include <optional>

namespace daybook {

/// What the connections of one server share.
struct HttpContext
{
    HttpContext(const HttpLimits &httpLimits, HttpHandler httpHandler,
                std::weak_ptr<boost::asio::io_context> ioContext)
        : limits(httpLimits),
          handler(std::move(httpHandler)),
          io(std::move(ioContext)),
          book(httpLimits)
    {
    }

    const HttpLimits limits;
    const HttpHandler handler;
    const std::weak_ptr<boost::asio::io_context> io;
    ConnectionBook book;
};

/// One client's connection: reads a request, hands it over, writes the reply, and only then looks at the
/// next.
///
///     idle ──first byte──► reading ──whole request──► handling ──reply──► writing ──► idle
///                             └──refused or too slow──────────────────────► └─last─► lingering ──► closed
///
/// **Thread:** its strand; finish() and abort() from any. **Owner:** its pending read or write; while the
/// request is being handled, the handler's reply function. **Ends:** when nothing is pending any more.
class HttpConnection : public std::enable_shared_from_this<HttpConnection>
{
public:
    /// \p socket must run on a strand.
    HttpConnection(boost::asio::ip::tcp::socket socket, QString peerAddress,
                   std::shared_ptr<HttpContext> context);
    ~HttpConnection();

    void start();
    /// Takes no new request; one that has begun is still answered.
    void finish();
    void abort();

private:
    enum class Phase { Idle, Reading, Handling, Writing, Lingering };

    void awaitRequest();
    void readHeader();
    void parseHeader();
    void sendContinue();
    void readBody();
    void handle();
    void reply(ServerReply reply);
    void refuse(const Problem &problem);
    void write(ServerReply reply);
    void linger();
    void discardInput();
    void close();

    void startDeadline(std::chrono::milliseconds after);
    void stopDeadline();
    void deadlinePassed();
    bool isTooSlow();

    boost::asio::ip::tcp::socket m_socket;
    boost::asio::steady_timer m_deadline;
    const QString m_peerAddress;
    const std::shared_ptr<HttpContext> m_context;
    boost::beast::flat_buffer m_buffer;
    std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> m_parser;
    ServerRequest m_request;
    ReplyForm m_form;
    HttpReply m_reply;
    Phase m_phase = Phase::Idle;
    bool m_deadlinePassed = false;
    bool m_finishing = false;
};

} // namespace daybook
