#include "sync/server/httpconnection.h"

#include "sync/server/framing.h"
#include "sync/server/reply.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <utility>

namespace net = boost::asio;
namespace http = boost::beast::http;
using boost::beast::error_code;

namespace daybook {
namespace {

constexpr std::size_t readBytes = 4096;

std::string_view unread(const boost::beast::flat_buffer &buffer)
{
    return {static_cast<const char *>(buffer.data().data()), buffer.size()};
}

/// Where a reply goes, from whatever thread and however late. The order of the members matters: the
/// connection's socket must be gone before the io_context is.
struct ReplyPath
{
    std::shared_ptr<net::io_context> io;
    std::shared_ptr<HttpConnection> connection;
};

} // namespace

HttpConnection::HttpConnection(net::ip::tcp::socket socket, QString peerAddress,
                               std::shared_ptr<HttpContext> context)
    : m_socket(std::move(socket)),
      m_deadline(m_socket.get_executor()),
      m_peerAddress(std::move(peerAddress)),
      m_context(std::move(context)),
      m_buffer(m_context->limits.headerBytes + readBytes)
{
}

HttpConnection::~HttpConnection() { m_context->book.leave(this); }

void HttpConnection::start()
{
    net::dispatch(m_socket.get_executor(), [self = shared_from_this()] {
        error_code ignored;
        self->m_socket.set_option(net::ip::tcp::no_delay(true), ignored);
        self->awaitRequest();
    });
}

void HttpConnection::finish()
{
    net::post(m_socket.get_executor(), [self = shared_from_this()] {
        self->m_finishing = true;
        if (self->m_phase == Phase::Idle)
            self->close();
    });
}

void HttpConnection::abort()
{
    net::post(m_socket.get_executor(), [self = shared_from_this()] { self->close(); });
}

void HttpConnection::awaitRequest()
{
    m_form = {};
    m_phase = Phase::Idle;
    startDeadline(m_context->limits.idle);
    readHeader();
}

void HttpConnection::readHeader()
{
    while (unread(m_buffer).substr(0, 2) ==
           "\r\n") // RFC 9112, 2.2: empty lines before a request do not count
        m_buffer.consume(2);
    if (m_phase == Phase::Idle && m_buffer.size() > 0 && unread(m_buffer) != "\r") {
        m_phase = Phase::Reading;
        startDeadline(m_context->limits.request);
    }
    if (m_phase == Phase::Idle && m_finishing)
        return close();
    const HeaderScan scan = scanHeader(unread(m_buffer), m_context->limits);
    if (scan.refusal)
        return refuse(*scan.refusal);
    if (scan.complete)
        return parseHeader();

    m_socket.async_read_some(m_buffer.prepare(readBytes),
                             [self = shared_from_this()](error_code error, std::size_t bytes) {
                                 if (self->isTooSlow())
                                     return;
                                 if (error || !self->m_socket.is_open())
                                     return self->close();
                                 self->m_buffer.commit(bytes);
                                 self->readHeader();
                             });
}

void HttpConnection::parseHeader()
{
    m_parser.emplace();
    m_parser->header_limit(static_cast<std::uint32_t>(m_context->limits.headerBytes));
    m_parser->body_limit(m_context->limits.bodyBytes);
    error_code error;
    m_buffer.consume(m_parser->put(m_buffer.data(), error));
    if (error)
        return refuse(problemFromParser(error).value_or(Problem{}));
    const auto &header = m_parser->get();
    m_form = {header.version(), m_parser->keep_alive(), header.method() == http::verb::head};
    if (const auto problem = framingRefusal(header))
        return refuse(*problem);

    // Taken before the body, so that fields behind a chunked body cannot change what the request says.
    m_request = toServerRequest(header, m_peerAddress);
    if (m_parser->is_done())
        return handle();
    const bool asksFirst =
        header.version() == 11 && boost::beast::iequals(header[http::field::expect], "100-continue");
    if (asksFirst && m_buffer.size() == 0)
        return sendContinue();
    readBody();
}

void HttpConnection::sendContinue()
{
    m_phase = Phase::Writing;
    static constexpr std::string_view goOn = "HTTP/1.1 100 Continue\r\n\r\n";
    net::async_write(m_socket, net::buffer(goOn), [self = shared_from_this()](error_code error, std::size_t) {
        if (self->isTooSlow())
            return;
        if (error)
            return self->close();
        self->m_phase = Phase::Reading;
        self->readBody();
    });
}

/// Part by part, each of which looks at the deadline: one that has ended cannot be cancelled.
void HttpConnection::readBody()
{
    m_parser->eager(true);
    http::async_read_some(m_socket, m_buffer, *m_parser,
                          [self = shared_from_this()](error_code error, std::size_t) {
                              if (self->isTooSlow())
                                  return;
                              if (const auto problem = problemFromParser(error))
                                  return self->refuse(*problem);
                              if (error)
                                  return self->close();
                              if (!self->m_parser->is_done())
                                  return self->readBody();
                              self->m_request.body = QByteArray::fromStdString(self->m_parser->get().body());
                              self->handle();
                          });
}

void HttpConnection::handle()
{
    stopDeadline();
    m_phase = Phase::Handling;
    m_parser.reset();
    ReplyPath path{m_context->io.lock(), shared_from_this()};
    m_context->handler(std::exchange(m_request, {}), [path = std::move(path)](ServerReply reply) {
        net::post(path.connection->m_socket.get_executor(),
                  [connection = path.connection, reply = std::move(reply)]() mutable {
                      connection->reply(std::move(reply));
                  });
    });
}

void HttpConnection::reply(ServerReply reply)
{
    if (m_phase == Phase::Handling && m_socket.is_open())
        write(std::move(reply));
}

void HttpConnection::refuse(const Problem &problem)
{
    m_form.keepAlive = false;
    m_parser.reset();
    write(problemReply(problem));
}

void HttpConnection::write(ServerReply reply)
{
    m_phase = Phase::Writing;
    if (m_finishing)
        m_form.keepAlive = false;
    m_reply = toHttpReply(std::move(reply), m_form);
    startDeadline(m_context->limits.write);
    http::async_write(m_socket, m_reply, [self = shared_from_this()](error_code error, std::size_t) {
        if (error || self->m_deadlinePassed)
            return self->close();
        self->m_reply = {};
        if (self->m_form.keepAlive)
            self->awaitRequest();
        else
            self->linger();
    });
}

/// Closing at once while the client still sends would reset the connection and could destroy the reply on its
/// way (RFC 9112, 9.6).
void HttpConnection::linger()
{
    m_phase = Phase::Lingering;
    error_code ignored;
    m_socket.shutdown(net::ip::tcp::socket::shutdown_send, ignored);
    startDeadline(m_context->limits.linger);
    discardInput();
}

void HttpConnection::discardInput()
{
    m_buffer.clear();
    m_socket.async_read_some(m_buffer.prepare(readBytes),
                             [self = shared_from_this()](error_code error, std::size_t) {
                                 if (error || self->m_deadlinePassed)
                                     return self->close();
                                 self->discardInput();
                             });
}

void HttpConnection::close()
{
    stopDeadline();
    error_code ignored;
    m_socket.close(ignored);
    m_context->book.leave(this); // not only in the destructor: the handler may keep its reply function
}

void HttpConnection::startDeadline(std::chrono::milliseconds after)
{
    m_deadlinePassed = false;
    m_deadline.expires_after(after);
    // Weak: a connection without a pending read or write is over, whatever its deadline.
    m_deadline.async_wait([weak = weak_from_this()](error_code error) {
        if (const auto self = weak.lock(); self && !error)
            self->deadlinePassed();
    });
}

void HttpConnection::stopDeadline()
{
    m_deadlinePassed = false;
    m_deadline.expires_at(net::steady_timer::time_point::max());
}

/// Ends the pending read or write; its handler finds out why. A write is made of parts, and the one after a
/// part that has just ended would not be cancelled: only closing ends them all. A wait that had ended before
/// it was replaced by a later one does not count.
void HttpConnection::deadlinePassed()
{
    if (m_deadline.expiry() > net::steady_timer::clock_type::now())
        return;
    m_deadlinePassed = true;
    error_code ignored;
    if (m_phase == Phase::Writing)
        m_socket.close(ignored);
    else
        m_socket.cancel(ignored);
}

/// True, and dealt with, when the time for reading is over: silence is closed, half a request is told so.
bool HttpConnection::isTooSlow()
{
    if (!m_deadlinePassed)
        return false;
    if (m_phase == Phase::Idle) {
        close();
        return true;
    }
    Problem problem;
    problem.code = ProblemCode::RequestTimeout;
    problem.detail =
        QStringLiteral("The whole request must arrive within %1 ms.").arg(m_context->limits.request.count());
    refuse(problem);
    return true;
}

} // namespace daybook
