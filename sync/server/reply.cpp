#include "sync/server/reply.h"

#include "sync/protocol/endpoints.h"

#include <QLocale>

namespace daybook {
namespace {

constexpr const char *retryAfterSeconds = "5";

} // namespace

ServerReply jsonReply(int status, const QByteArray &body) { return {status, jsonType, {}, body}; }

ServerReply problemReply(const Problem &problem)
{
    ServerReply reply{problem.status(), problemType, {}, encodeProblem(problem)};
    if (reply.status == 401)
        reply.headers.emplaceBack("WWW-Authenticate", "Bearer");
    if (problem.code == ProblemCode::StorageUnavailable || problem.code == ProblemCode::RateLimited)
        reply.headers.emplaceBack(header::retryAfter, retryAfterSeconds);
    return reply;
}

QByteArray entityTag(qint64 version) { return '"' + QByteArray::number(version) + '"'; }

QByteArray httpDate(Instant at)
{
    return QLocale::c().toString(toUtcDateTime(at), u"ddd, dd MMM yyyy HH:mm:ss 'GMT'").toLatin1();
}

} // namespace daybook
