#pragma once

#include "sync/protocol/problem.h"
#include "sync/server/http.h"

#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>

#include <optional>
#include <string_view>

namespace daybook {

/// What the bytes of a request's header say so far.
struct HeaderScan
{
    bool complete = false;          ///< the empty line is there
    std::optional<Problem> refusal; ///< nothing more has to be read to refuse it
};

/// Looks at the raw header before Beast does, for what Beast joins, waits for in vain or has no word for:
/// folded lines, bare line feeds, a request target that is too long. \p received begins at the request line.
HeaderScan scanHeader(std::string_view received, const HttpLimits &limits);

/// Why a header that Beast accepts is refused all the same: anything about where the request ends, or whom it
/// is for, that another program on the way might read differently (RFC 9112, 3.2 and 6.3).
std::optional<Problem> framingRefusal(const boost::beast::http::request_header<> &header);

/// The problem to answer with when Beast refuses a request; empty when the connection itself has failed.
std::optional<Problem> problemFromParser(const boost::beast::error_code &error);

} // namespace daybook
