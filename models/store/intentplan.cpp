#include "models/store/intentplan.h"

namespace daybook {

namespace {

using Replaces = IntentPlan::Replaces;

/// A change of an entry that the server has.
IntentPlan changeOf(const Intent &intent, Replaces replaces, const std::optional<qint64> &baseVersion,
                    const std::optional<EntryFields> &base)
{
    return {replaces, intent.deletes ? OperationType::DeleteEntry : OperationType::UpdateEntry, baseVersion,
            base};
}

/// An entry that the server never had: there is only making it, or nothing.
IntentPlan making(const Intent &intent, Replaces replaces)
{
    if (intent.deletes)
        return {replaces, std::nullopt, std::nullopt, std::nullopt};
    return {replaces, OperationType::CreateEntry, std::nullopt, std::nullopt};
}

/// The version an edit started from. An editor opened before the server's first confirmation knows none: if
/// the server has just what it showed, that is it; else the first version stands for "older than now", and
/// the server's refusal leads to a three-way merge.
qint64 versionStartedFrom(const Intent &intent, const ServerState &server)
{
    if (!server.deleted && intent.base == server.fields)
        return server.version;
    return intent.baseVersion.value_or(1);
}

IntentPlan decide(const Intent &intent, const std::optional<ServerState> &server, const Operation &head)
{
    if (!server)
        return making(intent, Replaces::AllOperations);
    if (intent.deletes && server->deleted)
        return {Replaces::AllOperations, std::nullopt, std::nullopt, std::nullopt};
    // A refused operation did nothing, so what it started from still is what the new one starts from.
    if (head.state == OperationState::PermanentFailed && head.baseVersion)
        return changeOf(intent, Replaces::AllOperations, head.baseVersion, head.base);
    return changeOf(intent, Replaces::AllOperations, server->version, server->fields);
}

} // namespace

IntentPlan planIntent(const Intent &intent, const std::optional<ServerState> &server, const Operation *head,
                      const Operation *last)
{
    if (head == nullptr) {
        if (!server)
            return making(intent, Replaces::Nothing);
        return changeOf(intent, Replaces::Nothing, versionStartedFrom(intent, *server), intent.base);
    }
    if (head->state == OperationState::PermanentFailed || head->state == OperationState::Conflict)
        return decide(intent, server, *head);
    if (last->state == OperationState::Pending && !last->firstAttemptAt) {
        if (last->type == OperationType::CreateEntry)
            return making(intent, Replaces::LastOperation);
        return changeOf(intent, Replaces::LastOperation, last->baseVersion, last->base);
    }
    return changeOf(intent, Replaces::Nothing, std::nullopt, intent.base);
}

} // namespace daybook
