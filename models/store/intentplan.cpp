#include "models/store/intentplan.h"

namespace daybook {

namespace {

using Replaces = IntentPlan::Replaces;

/// The one a create makes.
constexpr qint64 firstVersion = 1;
/// One that no entry ever has.
constexpr qint64 noVersion = 0;

/// A change of an entry that the server has.
IntentPlan changeOf(const Intent &intent, Replaces replaces, const std::optional<qint64> &baseVersion,
                    const std::optional<EntryFields> &base)
{
    return {replaces, intent.deletes ? OperationType::DeleteEntry : OperationType::UpdateEntry, baseVersion,
            base};
}

/// An entry that the server is not known to have: there is only making it, or nothing; but what may be there
/// after all has to be deleted there.
IntentPlan making(const Intent &intent, Replaces replaces, bool mayHaveArrived)
{
    if (intent.deletes && mayHaveArrived)
        return changeOf(intent, replaces, firstVersion, intent.base);
    if (intent.deletes)
        return {replaces, std::nullopt, std::nullopt, std::nullopt};
    return {replaces, OperationType::CreateEntry, std::nullopt, std::nullopt};
}

/// The version an edit started from. An editor opened before the server's first confirmation knows none: if
/// the server has just what it showed, that is it; else no version fits, and the server's refusal leads to a
/// three-way merge.
qint64 versionStartedFrom(const Intent &intent, const ServerState &server)
{
    if (!server.deleted && intent.base == server.fields)
        return server.version;
    return intent.baseVersion.value_or(noVersion);
}

/// Whether the intent takes over from the head. One that is refused but may have arrived earlier is asked for
/// first, since the server replays what it did. Refused again it would hold back its successor for ever; the
/// successor then meets a version or an id that is taken where it had arrived after all.
bool decidesHead(const Unfinished &unfinished)
{
    if (unfinished.head->state == OperationState::PermanentFailed)
        return !unfinished.mayHaveArrived || unfinished.refusedAgain;
    return unfinished.head->state == OperationState::Conflict;
}

IntentPlan decide(const Intent &intent, const std::optional<ServerState> &server,
                  const Unfinished &unfinished)
{
    const Operation &head = *unfinished.head;
    if (!server)
        return making(intent, Replaces::AllOperations, unfinished.mayHaveArrived);
    if (intent.deletes && server->deleted)
        return {Replaces::AllOperations, std::nullopt, std::nullopt, std::nullopt};
    // A refused operation did nothing, so what it started from still is what the new one starts from.
    if (head.state == OperationState::PermanentFailed && head.base)
        return changeOf(intent, Replaces::AllOperations, head.baseVersion, head.base);
    return changeOf(intent, Replaces::AllOperations, server->version, server->fields);
}

} // namespace

IntentPlan planIntent(const Intent &intent, const std::optional<ServerState> &server,
                      const Unfinished &unfinished)
{
    if (unfinished.head == nullptr) {
        if (!server)
            return making(intent, Replaces::Nothing, false);
        return changeOf(intent, Replaces::Nothing, versionStartedFrom(intent, *server), intent.base);
    }
    if (decidesHead(unfinished))
        return decide(intent, server, unfinished);
    const Operation &last = *unfinished.last;
    if (last.state == OperationState::Pending && !last.firstAttemptAt) {
        if (last.type == OperationType::CreateEntry)
            return making(intent, Replaces::LastOperation, unfinished.mayHaveArrived);
        if (last.base) // else it cannot be read, and is kept as it is
            return changeOf(intent, Replaces::LastOperation, last.baseVersion, last.base);
    }
    return changeOf(intent, Replaces::Nothing, std::nullopt, intent.base);
}

} // namespace daybook
