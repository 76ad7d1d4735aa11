#include "models/domain/syncstate.h"

#include "models/domain/attempt.h"
#include "models/domain/operation.h"

namespace daybook {

namespace {

SyncState stateOf(const Operation &operation)
{
    switch (operation.state) {
    case OperationState::Pending:
        return isUnanswered(operation) ? SyncState::AwaitingReply : SyncState::Waiting;
    case OperationState::Sending: return SyncState::Sending;
    case OperationState::RetryWaiting:
        return isUnanswered(operation) ? SyncState::AwaitingReply : SyncState::RetryWaiting;
    case OperationState::PermanentFailed:
    case OperationState::Quarantined: return SyncState::NeedsAttention;
    case OperationState::Conflict: return SyncState::Conflict;
    case OperationState::Done:
    case OperationState::Superseded:
    case OperationState::Discarded: break;
    }
    return SyncState::Synced;
}

} // namespace

bool isUnanswered(const Operation &operation)
{
    return operation.lastErrorCode == clientcode::noReply ||
           operation.lastErrorCode == clientcode::unexpectedReply ||
           operation.lastErrorCode == clientcode::aborted;
}

SyncStatus deriveSyncStatus(std::span<const Operation> unfinished, bool localOnly)
{
    if (unfinished.empty())
        return {localOnly ? SyncState::LocalOnly : SyncState::Synced, {}, {}};
    const Operation &head = unfinished.front();
    SyncStatus status{localOnly ? SyncState::LocalOnly : stateOf(head), head.lastErrorCode, {}};
    if (head.state == OperationState::RetryWaiting && head.waitStartedAt)
        status.nextAttemptAt = *head.waitStartedAt + head.waitLength;
    return status;
}

} // namespace daybook
