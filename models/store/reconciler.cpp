#include "models/store/reconciler.h"

#include "models/domain/crashpoint.h"
#include "models/domain/merge.h"
#include "models/store/payload.h"
#include "models/store/storeerror.h"
#include "models/store/syncjournal.h"
#include "models/store/transaction.h"

namespace daybook {

namespace {

/// One step on the state table's way to done, since a proof may come late and in any state.
OperationState towardsDone(OperationState state)
{
    switch (state) {
    case OperationState::PermanentFailed: return OperationState::Pending;
    case OperationState::Pending: return OperationState::Sending;
    case OperationState::Conflict: return OperationState::Superseded;
    default: return OperationState::Done;
    }
}

bool wasGivenUp(const Operation &operation)
{
    return operation.state == OperationState::Superseded || operation.state == OperationState::Discarded;
}

bool isThere(const std::optional<ServerState> &server) { return server && !server->deleted; }

/// Whether the server already has what the operation wants.
Result<bool> isMetBy(const Operation &operation, const std::optional<ServerState> &server)
{
    if (operation.type == OperationType::DeleteEntry)
        return !isThere(server);
    if (operation.type == OperationType::UpdateEntry || !isThere(server))
        return false;
    const auto mine = payloadFields(operation);
    return mine ? Result<bool>(*mine == server->fields) : Result<bool>(mine.error());
}

} // namespace

Result<void> Reconciler::confirm(Transaction &transaction, const Operation &operation,
                                 const ServerState &server)
{
    const auto found = m_tables.entries.find(operation.entryId);
    if (!found)
        return found.error();
    // An entry that is out of sight here may still exist there: then it is kept as a deleted one.
    const Entry seen = found->value_or(Entry{operation.entryId, server.fields, true, {}, {}});
    if (!*found && wasGivenUp(operation) && !server.deleted)
        if (const auto inserted = m_tables.entries.insert(transaction, seen); !inserted)
            return inserted;
    // A deletion of what the server never heard of is answered without a version.
    const bool isUnknownThere = server.deleted && server.version == 0;
    if (const auto taken = takeServerState(transaction, operation.entryId,
                                           isUnknownThere ? std::nullopt : std::optional(server));
        !taken)
        return taken;
    crashPoint(CrashPoint::ReconcileHalfDone);
    if (const auto finished = finish(transaction, operation, server.version); !finished)
        return finished;
    if (wasGivenUp(operation))
        if (const auto compensated = compensate(transaction, seen); !compensated)
            return compensated;
    return m_tables.settle(transaction, operation.entryId, HistoryReason::ChangedRemotely);
}

Result<void> Reconciler::contest(Transaction &transaction, const Operation &operation, const AttemptEnd &end,
                                 const std::optional<ServerState> &server)
{
    if (const auto taken = takeServerState(transaction, operation.entryId, server); !taken)
        return taken;
    const auto entry = m_tables.entries.find(operation.entryId);
    if (!entry)
        return entry.error();
    if (!*entry)
        return damagedRow(QStringLiteral("an operation without its entry"));
    const std::optional<ServerState> &theirs = (*entry)->server;
    const auto met = isMetBy(operation, theirs);
    if (!met)
        return met.error();
    if (*met) {
        const qint64 version = theirs ? theirs->version : 0;
        if (const auto finished = finish(transaction, operation, version); !finished)
            return finished;
        return m_tables.settle(transaction, operation.entryId, HistoryReason::ChangedRemotely);
    }
    Operation contested = ended(operation, OperationState::Conflict);
    contested.lastErrorCode = end.errorCode;
    contested.lastErrorDetail = end.errorDetail;
    const auto moved = m_tables.queue.transition(transaction, operation, contested);
    if (!moved)
        return moved.error();
    if (const auto merged = merge(transaction, contested, **entry); !merged)
        return merged;
    return m_tables.settle(transaction, operation.entryId, HistoryReason::Merged);
}

Result<void> Reconciler::takeServerState(Transaction &transaction, const ClientEntryId &id,
                                         const std::optional<ServerState> &server)
{
    return server ? m_tables.entries.takeServerState(transaction, id, *server)
                  : m_tables.entries.forgetServerState(transaction, id);
}

Result<void> Reconciler::finish(Transaction &transaction, const Operation &operation, qint64 version)
{
    if (operation.state == OperationState::Done || operation.state == OperationState::Quarantined)
        return {};
    for (Operation from = operation; from.state != OperationState::Done;) {
        Operation to = ended(from, towardsDone(from.state));
        to.lastErrorCode.clear();
        to.lastErrorDetail.clear();
        to.completedAt = m_tables.clock.now();
        const auto moved = m_tables.queue.transition(transaction, from, to);
        if (!moved)
            return moved.error();
        if (!*moved)
            return Error{ErrorKind::Internal, QStringLiteral("an operation changed under the write lock")};
        from = to;
    }
    return m_tables.queue.setBaseVersion(transaction, operation.entryId, version);
}

/// Lets the server end with what the person saw when the proof came.
Result<void> Reconciler::compensate(Transaction &transaction, const Entry &seen)
{
    const auto head = m_tables.queue.head(seen.id);
    const auto entry = m_tables.entries.find(seen.id);
    if (!head || !entry)
        return head ? entry.error() : head.error();
    if (!*entry || !(*entry)->server)
        return {};
    // What has left cannot be taken back; its own answer will tell how it went.
    if (*head && (*head)->firstAttemptAt)
        return {};
    const ServerState &server = *(*entry)->server;
    const bool agrees = seen.deleted ? server.deleted : isThere(server) && seen.fields == server.fields;
    if (agrees)
        return m_tables.replaceOperations(transaction, seen.id, nullptr);
    const Operation again =
        makeOperation(seen.deleted ? OperationType::DeleteEntry : OperationType::UpdateEntry, seen.id,
                      seen.deleted ? nullptr : &seen.fields, server.version, server.fields, m_tables.random,
                      m_tables.clock.now());
    return m_tables.replaceOperations(transaction, seen.id, &again);
}

/// Where an edit and the server's change touch different fields, one operation with both takes over.
/// Otherwise the conflict stays for the person.
Result<void> Reconciler::merge(Transaction &transaction, const Operation &contested, const Entry &entry)
{
    if (contested.type != OperationType::UpdateEntry || entry.deleted || !isThere(entry.server) ||
        !contested.base)
        return {};
    const MergeOutcome outcome = mergeFields(*contested.base, entry.fields, entry.server->fields);
    if (!outcome.isClean())
        return {};
    if (outcome.fields == entry.server->fields)
        return m_tables.replaceOperations(transaction, entry.id, nullptr);
    if (outcome.fields != entry.fields) {
        if (const auto kept =
                m_tables.history.keep(transaction, entry, HistoryReason::Merged, m_tables.clock.now());
            !kept)
            return kept;
        if (const auto shown = m_tables.entries.show(transaction, entry.id, outcome.fields, false); !shown)
            return shown;
    }
    const Operation merged =
        makeOperation(OperationType::UpdateEntry, entry.id, &outcome.fields, entry.server->version,
                      entry.server->fields, m_tables.random, m_tables.clock.now());
    return m_tables.replaceOperations(transaction, entry.id, &merged);
}

} // namespace daybook
