#include "sync/server/http.h"

#include "sync/server/httpconnection.h"
#include "sync/server/reply.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/http/write.hpp>

#include <future>
#include <optional>
#include <thread>

namespace net = boost::asio;
using boost::beast::error_code;
using net::ip::tcp;

namespace daybook {
namespace {

constexpr int threadCount = 2;
constexpr auto retryAcceptAfter = std::chrono::milliseconds(100);

QString spell(const tcp::endpoint &endpoint)
{
    const QString host = QString::fromStdString(endpoint.address().to_string());
    return (endpoint.address().is_v6() ? QStringLiteral("[%1]:%2") : QStringLiteral("%1:%2"))
        .arg(host)
        .arg(endpoint.port());
}

Error cannotListen(const tcp::endpoint &endpoint, const error_code &error)
{
    const QString where = spell(endpoint);
    if (error == net::error::address_in_use)
        return {ErrorKind::Network,
                QStringLiteral("%1 is in use by another program: end that one, or choose another port with "
                               "--listen.")
                    .arg(where)};
    if (error == net::error::access_denied)
        return {ErrorKind::Network,
                QStringLiteral("The system does not permit listening on %1: choose a port above 1023 with "
                               "--listen.")
                    .arg(where)};
    return {ErrorKind::Network, QStringLiteral("Listening on %1 is not possible (%2): choose another address "
                                               "with --listen.")
                                    .arg(where, QString::fromStdString(error.message()))};
}

/// Tells a client that there are too many, without waiting for anything: it has no place here to wait in.
void turnAway(tcp::socket socket)
{
    Problem problem;
    problem.code = ProblemCode::RateLimited;
    problem.detail = QStringLiteral("Too many connections.");
    error_code ignored;
    socket.non_blocking(true, ignored);
    boost::beast::http::write(socket, toHttpReply(problemReply(problem), {}), ignored);
    socket.shutdown(tcp::socket::shutdown_send, ignored);
}

} // namespace

struct HttpServer::Private
{
    Private(const HttpOptions &options, HttpHandler handler)
        : context(std::make_shared<HttpContext>(options.limits, std::move(handler), io))
    {
    }

    error_code open(const tcp::endpoint &wanted);
    void accept();
    void accepted(const error_code &error, tcp::socket socket);
    void admit(tcp::socket socket, const QString &address);
    void stopAccepting();

    // Shared with replies that are still to come, which may outlive the server; destroyed last.
    std::shared_ptr<net::io_context> io = std::make_shared<net::io_context>(threadCount);
    std::shared_ptr<HttpContext> context;
    tcp::endpoint endpoint; // with the port that was taken
    tcp::acceptor acceptor{net::make_strand(*io)};
    net::steady_timer acceptAgain{acceptor.get_executor()};
    std::optional<net::executor_work_guard<net::io_context::executor_type>> work{io->get_executor()};
    std::vector<std::thread> threads;
};

error_code HttpServer::Private::open(const tcp::endpoint &wanted)
{
    error_code error;
    acceptor.open(wanted.protocol(), error);
    if (!error)
        acceptor.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error)
        acceptor.bind(wanted, error);
    if (!error)
        acceptor.listen(net::socket_base::max_listen_connections, error);
    if (!error)
        endpoint = acceptor.local_endpoint(error);
    return error;
}

void HttpServer::Private::accept()
{
    acceptor.async_accept(net::make_strand(*io), [this](const error_code &error, tcp::socket socket) {
        accepted(error, std::move(socket));
    });
}

void HttpServer::Private::accepted(const error_code &error, tcp::socket socket)
{
    if (!acceptor.is_open())
        return;
    if (error) { // such as no file descriptor left: trying again at once would only burn time
        acceptAgain.expires_after(retryAcceptAfter);
        acceptAgain.async_wait([this](const error_code &cancelled) {
            if (!cancelled && acceptor.is_open())
                accept();
        });
        return;
    }
    error_code gone;
    const auto peer = socket.remote_endpoint(gone);
    if (!gone)
        admit(std::move(socket), QString::fromStdString(peer.address().to_string()));
    accept();
}

void HttpServer::Private::admit(tcp::socket socket, const QString &address)
{
    if (!context->book.hasRoomFor(address))
        return turnAway(std::move(socket));
    const auto connection = std::make_shared<HttpConnection>(std::move(socket), address, context);
    context->book.enter(connection, address);
    connection->start();
}

/// Returns when no connection can be added any more and all have been told.
void HttpServer::Private::stopAccepting()
{
    std::promise<void> stopped;
    net::post(acceptor.get_executor(), [this, &stopped] {
        error_code ignored;
        acceptor.close(ignored);
        acceptAgain.cancel();
        for (const auto &connection : context->book.all())
            connection->finish();
        stopped.set_value();
    });
    stopped.get_future().wait();
}

std::optional<bool> isLoopback(const QString &host)
{
    error_code error;
    const auto address = net::ip::make_address(host.toStdString(), error);
    return error ? std::nullopt : std::optional(address.is_loopback());
}

HttpServer::HttpServer(std::unique_ptr<Private> p) : d(std::move(p)) {}

HttpServer::~HttpServer() { drain({}); }

Result<std::unique_ptr<HttpServer>> HttpServer::listen(const HttpOptions &options, HttpHandler handler)
{
    error_code error;
    const auto address = net::ip::make_address(options.host.toStdString(), error);
    if (error)
        return Error{ErrorKind::InvalidArgument,
                     QStringLiteral("\"%1\" is no IP address to listen on.").arg(options.host)};
    const tcp::endpoint endpoint(address, options.port);
    auto d = std::make_unique<Private>(options, std::move(handler));
    error = d->open(endpoint);
    if (error)
        return cannotListen(endpoint, error);
    d->accept();
    for (int i = 0; i < threadCount; ++i)
        d->threads.emplace_back([io = d->io.get()] { io->run(); });
    return std::unique_ptr<HttpServer>(new HttpServer(std::move(d)));
}

QString HttpServer::url() const { return QStringLiteral("http://") + spell(d->endpoint); }

void HttpServer::drain(std::chrono::milliseconds grace)
{
    if (d->threads.empty())
        return;
    d->stopAccepting();
    d->context->book.waitUntilEmpty(grace);
    for (const auto &connection : d->context->book.all())
        connection->abort();
    d->work.reset();
    for (std::thread &thread : d->threads)
        thread.join();
    d->threads.clear();
}

} // namespace daybook
