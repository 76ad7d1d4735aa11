#include "models/store/leasing.h"

#include "models/domain/syncstate.h"
#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/payload.h"
#include "models/store/queuemetrics.h"
#include "models/store/transaction.h"

namespace daybook {

namespace {

AttemptEnd unanswered(AttemptResult result, QLatin1StringView code)
{
    AttemptEnd end;
    end.result = result;
    end.errorCode = code;
    end.charged = false;
    return end;
}

} // namespace

Result<Leased> Leasing::take(Transaction &transaction, int limit, AttemptTrigger trigger)
{
    const Instant now = m_tables.clock.now();
    const auto paused = isPaused(now);
    if (!paused)
        return paused.error();
    if (*paused)
        return Leased();
    const auto recovered = recoverExpired(transaction, now);
    if (!recovered)
        return recovered.error();
    const auto ready = m_tables.queue.ready(now, limit);
    if (!ready)
        return ready.error();
    QList<Lease> leases;
    QSet<ClientEntryId> changed = *recovered;
    for (const Operation &operation : *ready) {
        changed.insert(operation.entryId);
        if (!isReadable(operation)) {
            const Operation kept = ended(operation, OperationState::Quarantined);
            if (const auto moved = move(transaction, operation, kept); !moved)
                return moved.error();
            continue;
        }
        const auto why = recovered->contains(operation.entryId) ? AttemptTrigger::LeaseRecovered : trigger;
        const auto lease = takeOne(transaction, operation, why, now);
        if (!lease)
            return lease.error();
        leases.append(*lease);
    }
    return Leased{leases, changed.values()};
}

Result<bool> Leasing::isPaused(Instant now) const
{
    const AccountRepository accounts(*m_tables.connection);
    const auto account = accounts.byId(m_tables.account.id);
    if (!account)
        return account.error();
    const auto waits = accounts.waits(m_tables.account.id);
    if (!waits)
        return waits.error();
    return !account->signedIn || blockInEffect(waits->blockedUntil, now).has_value();
}

/// How far the attempts of those who did not come back got is not known.
Result<QSet<ClientEntryId>> Leasing::recoverExpired(Transaction &transaction, Instant now)
{
    const auto expired = m_tables.queue.withExpiredLease(now);
    if (!expired)
        return expired.error();
    QSet<ClientEntryId> recovered;
    for (const Operation &operation : *expired) {
        const AttemptEnd lost = unanswered(AttemptResult::LeaseExpired, clientcode::noReply);
        if (const auto ended = end(transaction, operation, lost, OperationState::Pending); !ended)
            return ended.error();
        recovered.insert(operation.entryId);
    }
    return recovered;
}

Result<Lease> Leasing::takeOne(Transaction &transaction, const Operation &operation, AttemptTrigger trigger,
                               Instant now)
{
    Operation leased = ended(operation, OperationState::Sending);
    leased.leaseOwner = m_owner;
    leased.leaseExpiresAt = now + leaseLength;
    leased.firstAttemptAt = operation.firstAttemptAt.value_or(now);
    ++leased.attemptCount;
    if (const auto moved = move(transaction, operation, leased); !moved)
        return moved.error();
    if (const auto opened = m_tables.attempts.open(transaction, leased.id, leased.attemptCount, trigger, now);
        !opened)
        return opened.error();
    return Lease{leased, leased.attemptCount};
}

Result<std::optional<Operation>> Leasing::held(const Lease &lease) const
{
    const auto found = m_tables.queue.find(lease.operation.id);
    if (!found || !*found)
        return found;
    const bool holds = (*found)->state == OperationState::Sending &&
                       (*found)->leaseOwner == lease.operation.leaseOwner &&
                       (*found)->attemptCount == lease.attemptNumber;
    return holds ? found : std::optional<Operation>();
}

Result<void> Leasing::end(Transaction &transaction, const Operation &operation, const AttemptEnd &end,
                          OperationState state, Milliseconds wait)
{
    const Instant now = m_tables.clock.now();
    if (const auto closed =
            m_tables.attempts.close(transaction, operation.id, operation.attemptCount, end, now);
        !closed)
        return closed;
    Operation next = ended(operation, state);
    // Ready again without an answer to go by: what was sent earlier may have arrived all the same.
    if (state != OperationState::Pending || !isUnanswered(operation)) {
        next.lastErrorCode = end.errorCode;
        next.lastErrorDetail = end.errorDetail;
    }
    if (state == OperationState::RetryWaiting) {
        next.waitStartedAt = now;
        next.waitLength = wait;
    }
    return move(transaction, operation, next);
}

Result<ChangedEntries> Leasing::release(Transaction &transaction)
{
    const auto leased = m_tables.queue.leasedBy(m_owner);
    if (!leased)
        return leased.error();
    ChangedEntries changed;
    for (const Operation &operation : *leased) {
        const AttemptEnd aborted = unanswered(AttemptResult::Aborted, clientcode::aborted);
        if (const auto ended = end(transaction, operation, aborted, OperationState::Pending); !ended)
            return ended.error();
        changed.append(operation.entryId);
    }
    return changed;
}

Result<ChangedEntries> Leasing::endWaits(Transaction &transaction, int limit)
{
    const auto waiting = m_tables.queue.waiting(limit);
    if (!waiting)
        return waiting.error();
    ChangedEntries changed;
    for (const Operation &operation : *waiting) {
        const Operation ready = ended(operation, OperationState::Pending);
        if (const auto moved = move(transaction, operation, ready); !moved)
            return moved.error();
        changed.append(operation.entryId);
    }
    return changed;
}

Result<void> Leasing::move(Transaction &transaction, const Operation &from, const Operation &to)
{
    const auto moved = m_tables.queue.transition(transaction, from, to);
    if (!moved)
        return moved.error();
    if (!*moved) // read under the same write lock
        return Error{ErrorKind::Internal, QStringLiteral("an operation changed under the write lock")};
    return m_tables.settle(transaction, to.entryId, HistoryReason::ChangedRemotely);
}

} // namespace daybook
