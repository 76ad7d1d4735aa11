#include "sync/server/framing.h"

#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>

namespace http = boost::beast::http;

namespace daybook {
namespace {

Problem malformed(const char *detail)
{
    Problem problem;
    problem.code = ProblemCode::MalformedRequest;
    problem.detail = QString::fromLatin1(detail);
    return problem;
}

Problem tooMuch(ProblemCode code, const char *what, std::size_t bytes)
{
    Problem problem;
    problem.code = code;
    problem.detail = QStringLiteral("%1 may have at most %2 bytes.").arg(QLatin1StringView(what)).arg(bytes);
    return problem;
}

/// The target of a request line that may still be incomplete.
std::string_view requestTarget(std::string_view received)
{
    const std::string_view line = received.substr(0, received.find('\n'));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos)
        return {};
    const std::string_view rest = line.substr(space + 1);
    return rest.substr(0, rest.find(' '));
}

bool isDigits(std::string_view text)
{
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

HeaderScan scanHeader(std::string_view received, const HttpLimits &limits)
{
    if (requestTarget(received).size() > limits.uriBytes)
        return {false, tooMuch(ProblemCode::UriTooLong, "The request target", limits.uriBytes)};

    const std::string_view header = received.substr(0, limits.headerBytes);
    std::size_t begin = 0;
    for (std::size_t end; (end = header.find('\n', begin)) != std::string_view::npos; begin = end + 1) {
        if (end == begin || header[end - 1] != '\r')
            return {false, malformed("Every line of the header must end with CR and LF.")};
        if (end == begin + 1)
            return {true, {}};
        if (header[begin] == ' ' || header[begin] == '\t')
            return {false, malformed("A line of the header must not begin with white space.")};
    }
    if (received.size() >= limits.headerBytes)
        return {false, tooMuch(ProblemCode::HeadersTooLarge, "The header", limits.headerBytes)};
    return {};
}

std::optional<Problem> framingRefusal(const http::request_header<> &header)
{
    const bool isHttp11 = header.version() == 11;
    const auto hosts = header.count(http::field::host);
    if (hosts > 1 || (isHttp11 && hosts == 0))
        return malformed("A request must have exactly one Host line.");
    if (hosts == 1 && (header[http::field::host].empty() ||
                       header[http::field::host].find_first_of(" \t,/?#@\\") != std::string_view::npos))
        return malformed("The Host line must name one host.");

    const auto lengths = header.count(http::field::content_length);
    if (lengths > 1 || (lengths == 1 && !isDigits(header[http::field::content_length])))
        return malformed("Content-Length must be one number in one line.");

    const auto encodings = header.count(http::field::transfer_encoding);
    if (encodings > 0 && lengths > 0)
        return malformed("Content-Length and Transfer-Encoding exclude each other.");
    if (encodings > 1 ||
        (encodings == 1 &&
         (!isHttp11 || !boost::beast::iequals(header[http::field::transfer_encoding], "chunked"))))
        return malformed("Transfer-Encoding must be absent, or exactly chunked in HTTP/1.1.");
    return {};
}

std::optional<Problem> problemFromParser(const boost::beast::error_code &error)
{
    static const auto &httpErrors = http::make_error_code(http::error::bad_method).category();
    if (error.category() != httpErrors || error == http::error::end_of_stream ||
        error == http::error::partial_message)
        return {};
    Problem problem = malformed("The request is not well-formed HTTP/1.1.");
    if (error == http::error::body_limit) {
        problem.code = ProblemCode::PayloadTooLarge;
        problem.detail = QStringLiteral("The body of the request is too large.");
    } else if (error == http::error::header_limit) {
        problem.code = ProblemCode::HeadersTooLarge;
        problem.detail = QStringLiteral("The header of the request is too large.");
    }
    return problem;
}

} // namespace daybook
