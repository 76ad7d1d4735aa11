#pragma once

#include "sync/server/request.h"

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>

namespace daybook {

using HttpReply = boost::beast::http::response<boost::beast::http::string_body>;

/// What the client's next bytes depend on: how the reply to its request has to be written.
struct ReplyForm
{
    unsigned version = 11; ///< as Beast counts: 10 or 11
    bool keepAlive = false;
    bool isHead = false; ///< the length of the body, but not the body
};

/// The request without its body.
ServerRequest toServerRequest(const boost::beast::http::request_header<> &header, const QString &peerAddress);

/// The reply as it goes out, with what every reply of this server carries.
HttpReply toHttpReply(ServerReply reply, const ReplyForm &form);

} // namespace daybook
