#include "sync/server/httpmessage.h"

#include "models/domain/clock.h"
#include "sync/protocol/endpoints.h"
#include "sync/server/reply.h"

namespace http = boost::beast::http;

namespace daybook {
namespace {

QByteArray toBytes(boost::beast::string_view text)
{
    return {text.data(), static_cast<qsizetype>(text.size())};
}

boost::beast::string_view toView(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

} // namespace

ServerRequest toServerRequest(const http::request_header<> &header, const QString &peerAddress)
{
    ServerRequest request;
    request.method = toBytes(header.method_string());
    request.target = toBytes(header.target());
    for (const auto &line : header)
        request.headers.append({toBytes(line.name_string()), toBytes(line.value())});
    request.peerAddress = peerAddress;
    return request;
}

HttpReply toHttpReply(ServerReply reply, const ReplyForm &form)
{
    HttpReply out;
    out.version(form.version);
    out.result(static_cast<unsigned>(reply.status));
    out.keep_alive(form.keepAlive);
    if (!form.keepAlive)
        out.set(http::field::connection, "close"); // Beast leaves it out in 1.0
    out.set(header::protocol, protocolVersion);
    out.set(http::field::date, toView(httpDate(SystemClock().now())));
    if (!reply.contentType.isEmpty())
        out.set(http::field::content_type, toView(reply.contentType));
    for (const auto &[name, value] : std::as_const(reply.headers))
        out.insert(toView(name), toView(value));
    if (out.result() != http::status::no_content)
        out.content_length(static_cast<std::uint64_t>(reply.body.size()));
    if (!form.isHead)
        out.body() = reply.body.toStdString();
    return out;
}

} // namespace daybook
