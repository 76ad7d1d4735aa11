#include "sync/client/resultclassifier.h"

#include "sync/client/requestbuilder.h"
#include "sync/client/retryafter.h"
#include "sync/protocol/endpoints.h"
#include "sync/protocol/messages.h"

namespace daybook {

namespace {

using Kind = Verdict::Kind;
using End = TransportReply::End;

constexpr qsizetype maximumDetail = 500;

bool isReplayed(const TransportReply &reply) { return reply.header(header::idempotentReplayed) == "true"; }

bool isSuccess(const TransportReply &reply)
{
    return reply.end == End::Complete && reply.status >= 200 && reply.status < 300;
}

/// These block the account whoever says them: a gateway is as overloaded as the server behind it.
bool isBlockingStatus(int status)
{
    return status == 408 || status == 425 || status == 429 || status == 502 || status == 503 || status == 504;
}

Verdict verdict(Kind kind, AttemptResult result, const TransportReply &reply, QString code,
                const QString &detail)
{
    Verdict verdict;
    verdict.kind = kind;
    verdict.end.result = result;
    verdict.end.httpStatus = reply.status;
    verdict.end.errorCode = std::move(code);
    verdict.end.errorDetail = detail.left(maximumDetail);
    verdict.end.replayed = isReplayed(reply);
    return verdict;
}

Verdict uncharged(Verdict verdict)
{
    verdict.end.charged = false;
    return verdict;
}

Verdict confirmed(Kind kind, const TransportReply &reply, std::optional<ServerState> server)
{
    Verdict result = verdict(kind, AttemptResult::Confirmed, reply, {}, {});
    result.server = std::move(server);
    return result;
}

Verdict incomplete(const TransportReply &reply)
{
    switch (reply.end) {
    case End::NotConnected:
        return uncharged(verdict(Kind::NotReachable, AttemptResult::NotReachable, reply,
                                 clientcode::notReachable, reply.errorText));
    case End::Aborted:
        return uncharged(
            verdict(Kind::Aborted, AttemptResult::Aborted, reply, clientcode::aborted, reply.errorText));
    case End::NoReply:
    case End::Complete: break;
    }
    if (reply.status != 0) // it began to answer: what is cut or endless is no answer of this server
        return verdict(Kind::Unexpected, AttemptResult::Unexpected, reply, clientcode::unexpectedReply,
                       reply.errorText);
    return verdict(Kind::Unknown, AttemptResult::Unknown, reply, clientcode::noReply, reply.errorText);
}

Verdict foreign(const TransportReply &reply)
{
    QString detail = QStringLiteral("HTTP %1, not an answer of a Daybook server").arg(reply.status);
    if (reply.status >= 300 && reply.status < 400)
        detail = QStringLiteral("HTTP %1, a redirect, which is not followed").arg(reply.status);
    return verdict(Kind::Unexpected, AttemptResult::Unexpected, reply, clientcode::unexpectedReply, detail);
}

QString describe(const Problem &problem)
{
    QStringList parts{problem.detail};
    for (const ProblemMember &member : problem.members)
        parts.append(member.pointer + QStringLiteral(": ") + member.detail);
    return parts.join(QStringLiteral("; "));
}

/// Refusals that mean the same for every request; what is left is Refused.
Verdict refusal(const TransportReply &reply, const Problem &problem)
{
    const QString code = info(problem.code).name;
    const QString detail = describe(problem);
    if (problem.code == ProblemCode::AccountMismatch)
        return uncharged(verdict(Kind::AccountMismatch, AttemptResult::Refused, reply, code, detail));
    if (reply.status == 401)
        return uncharged(verdict(Kind::SessionExpired, AttemptResult::SessionRefused, reply, code, detail));
    if (reply.status == 424)
        return uncharged(verdict(Kind::NotExecuted, AttemptResult::NotNow, reply, code, detail));
    if (reply.status >= 500)
        return verdict(Kind::ServerError, AttemptResult::ServerError, reply, code, detail);
    return verdict(Kind::Refused, AttemptResult::Refused, reply, code, detail);
}

std::optional<Problem> ownProblem(const TransportReply &reply)
{
    if (reply.end != End::Complete || !speaksProtocol(reply))
        return std::nullopt;
    return decodeProblem(reply.body, reply.status);
}

Verdict failure(const TransportReply &reply, const std::optional<Problem> &problem, Instant now)
{
    if (reply.end != End::Complete)
        return incomplete(reply);
    if (reply.status == 407)
        return uncharged(verdict(Kind::NotReachable, AttemptResult::NotReachable, reply,
                                 clientcode::notReachable,
                                 QStringLiteral("HTTP 407, the proxy asks for a sign-in")));

    const std::optional<Milliseconds> wait = retryAfter(reply, now);
    const bool inProgress = problem && problem->code == ProblemCode::OperationInProgress;
    if (inProgress || isBlockingStatus(reply.status) || (problem && wait)) {
        Verdict notNow = problem ? refusal(reply, *problem) : foreign(reply);
        notNow.kind = inProgress ? Kind::InProgress : Kind::AccountBlocked;
        notNow.end.result = AttemptResult::NotNow;
        notNow.end.charged = true;
        if (wait > Milliseconds(0))
            notNow.retryAfter = wait;
        return notNow;
    }
    return problem ? refusal(reply, *problem) : foreign(reply);
}

QByteArray entityTag(const TransportReply &reply) { return reply.header("ETag").value_or(QByteArray()); }

std::optional<ServerState> entryState(const Operation &operation, const TransportReply &reply)
{
    const std::optional<EntryResource> entry = decodeEntry(reply.body);
    if (!entry || entry->clientEntryId != operation.entryId || entityTag(reply) != versionTag(entry->version))
        return std::nullopt;
    return ServerState{entry->entryId, entry->version, entry->fields, false};
}

/// 204 has no body to tell a Daybook server by; its two headers do instead.
std::optional<ServerState> deletedState(const TransportReply &reply)
{
    const QByteArray tag = entityTag(reply);
    const qint64 version = tag.size() > 2 ? tag.mid(1, tag.size() - 2).toLongLong() : 0;
    const bool isStored = isReplayed(reply) || reply.header(header::idempotentReplayed) == "false";
    if (reply.status != 204 || !isStored || version <= 0 || tag != versionTag(version))
        return std::nullopt;
    return ServerState{{}, version, {}, true};
}

/// What the server has now, in an answer that reports success.
std::optional<ServerState> confirmedState(const Operation &operation, const TransportReply &reply)
{
    return operation.type == OperationType::DeleteEntry ? deletedState(reply) : entryState(operation, reply);
}

ServerState stateOf(const CurrentEntry &current)
{
    return {current.entryId, current.version, current.fields, current.deleted};
}

/// The server has the entry no more and may not say since which version: later than what the operation knew.
ServerState tombstone(const Operation &operation, const Problem &problem)
{
    if (problem.current && problem.current->deleted)
        return stateOf(*problem.current);
    return {{}, operation.baseVersion.value_or(0) + 1, {}, true};
}

/// `current` of another entry is not an answer to this operation. Tombstones come without an id.
bool isForeignEntry(const Operation &operation, const Problem &problem)
{
    return problem.current && !problem.current->clientEntryId.isNull() &&
           problem.current->clientEntryId != operation.entryId;
}

Verdict conflict(Verdict refused, std::optional<ServerState> server)
{
    refused.kind = Kind::Conflict;
    refused.end.result = AttemptResult::Conflict;
    refused.server = std::move(server);
    return refused;
}

/// The refusals that mean something of their own to an operation on an entry.
Verdict judge(const Operation &operation, const TransportReply &reply, const Problem &problem,
              Verdict refused)
{
    const bool isDelete = operation.type == OperationType::DeleteEntry;
    switch (problem.code) {
    case ProblemCode::OperationResultExpired: return confirmed(Kind::ReadEntry, reply, std::nullopt);
    case ProblemCode::EntryNotFound:
        if (isDelete)
            return confirmed(Kind::DoneOnServer, reply, tombstone(operation, problem));
        return operation.type == OperationType::UpdateEntry ? conflict(refused, std::nullopt) : refused;
    case ProblemCode::EntryDeleted:
        if (isDelete)
            return confirmed(Kind::DoneOnServer, reply, tombstone(operation, problem));
        return conflict(refused, tombstone(operation, problem));
    case ProblemCode::VersionConflict:
    case ProblemCode::ClientEntryIdTaken:
        // Without the entry as it is now nothing can be merged or decided.
        return problem.current ? conflict(refused, stateOf(*problem.current)) : foreign(reply);
    default: return refused;
    }
}

} // namespace

bool speaksProtocol(const TransportReply &reply) { return reply.header(header::protocol).has_value(); }

Verdict classifyFailure(const TransportReply &reply, Instant now)
{
    return failure(reply, ownProblem(reply), now);
}

Verdict classify(const Operation &operation, const TransportReply &reply, Instant now)
{
    if (isSuccess(reply) && speaksProtocol(reply)) {
        if (const std::optional<ServerState> server = confirmedState(operation, reply))
            return confirmed(Kind::Confirmed, reply, server);
    }
    const std::optional<Problem> problem = ownProblem(reply);
    if (problem && isForeignEntry(operation, *problem))
        return foreign(reply);
    const Verdict result = failure(reply, problem, now);
    return result.kind == Kind::Refused ? judge(operation, reply, *problem, result) : result;
}

Verdict classifyRead(const Operation &operation, const TransportReply &reply, Instant now)
{
    if (isSuccess(reply) && speaksProtocol(reply)) {
        if (const std::optional<ServerState> server = entryState(operation, reply))
            return confirmed(Kind::Confirmed, reply, server);
    }
    const std::optional<Problem> problem = ownProblem(reply);
    const Verdict result = failure(reply, problem, now);
    const bool isGone = result.kind == Kind::Refused && (problem->code == ProblemCode::EntryNotFound ||
                                                         problem->code == ProblemCode::EntryDeleted);
    return isGone ? confirmed(Kind::Confirmed, reply, tombstone(operation, *problem)) : result;
}

} // namespace daybook
