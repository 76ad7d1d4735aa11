#include "sync/client/attemptrecord.h"

#include "sync/client/retrypolicy.h"

namespace daybook {

using Kind = Verdict::Kind;

Result<Milliseconds> waitAfter(const Verdict &verdict, const OperationId &operation, int probeStep,
                               const SyncJournal &journal, Random &random)
{
    switch (verdict.kind) {
    case Kind::AccountBlocked:
        return verdict.retryAfter ? blockedWait(*verdict.retryAfter, random)
                                  : probeWait(probeStep + 1, random);
    case Kind::InProgress:
        if (verdict.retryAfter)
            return blockedWait(*verdict.retryAfter, random);
        break;
    case Kind::ServerError:
    case Kind::Unknown:
    case Kind::Unexpected: break;
    default: return Milliseconds(0);
    }
    const auto charged = journal.chargedAttempts(operation);
    if (!charged)
        return charged.error();
    return operationWait(*charged + 1, random); // this one is not written yet
}

Result<ChangedEntries> record(const Lease &lease, const Verdict &verdict, Milliseconds wait,
                              SyncJournal &journal)
{
    switch (verdict.kind) {
    case Kind::Confirmed:
    case Kind::DoneOnServer: return journal.recordConfirmed(lease, verdict.end, *verdict.server);
    case Kind::Conflict: return journal.recordConflict(lease, verdict.end, verdict.server);
    case Kind::Refused: return journal.recordRefused(lease, verdict.end);
    case Kind::AccountBlocked:
    case Kind::InProgress:
    case Kind::ServerError:
    case Kind::Unknown:
    case Kind::Unexpected: return journal.recordRetry(lease, verdict.end, wait);
    case Kind::ReadEntry:
    case Kind::NotExecuted:
    case Kind::SessionExpired:
    case Kind::AccountMismatch:
    case Kind::NotReachable:
    case Kind::Aborted: break;
    }
    return journal.recordUncharged(lease, verdict.end);
}

} // namespace daybook
