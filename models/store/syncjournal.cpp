#include "models/store/syncjournal.h"

#include "models/domain/crashpoint.h"
#include "models/store/accountrepository.h"
#include "models/store/accounttables.h"
#include "models/store/connection.h"
#include "models/store/payload.h"
#include "models/store/queuemetrics.h"
#include "models/store/reconciler.h"
#include "models/store/transaction.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace daybook {

namespace {

/// How many waits one transaction ends, so that a Save in between never waits long.
constexpr int waitsPerTransaction = 200;

AttemptEnd unanswered(AttemptResult result, QLatin1StringView code)
{
    AttemptEnd end;
    end.result = result;
    end.errorCode = code;
    end.charged = false;
    return end;
}

} // namespace

struct SyncJournal::Private
{
    template<typename Work>
    auto write(const Work &work)
    {
        return inTransaction(*tables->connection, work);
    }

    Result<bool> isPaused(Instant now) const;
    Result<QList<Lease>> leaseReady(Transaction &transaction, int limit, AttemptTrigger trigger);
    Result<QSet<OperationId>> recoverLeases(Transaction &transaction, Instant now);
    Result<Lease> take(Transaction &transaction, const Operation &operation, AttemptTrigger trigger,
                       Instant now);

    Result<std::optional<Operation>> held(const Lease &lease) const;
    Result<ChangedEntries> confirm(Transaction &transaction, const Lease &lease, const AttemptEnd &end,
                                   const ServerState &server);
    Result<ChangedEntries> contest(Transaction &transaction, const Lease &lease, const AttemptEnd &end,
                                   const std::optional<ServerState> &server);
    Result<ChangedEntries> endHeld(const Lease &lease, const AttemptEnd &end, OperationState state,
                                   Milliseconds wait = {});
    Result<void> end(Transaction &transaction, const Operation &operation, const AttemptEnd &end,
                     OperationState state, Milliseconds wait = {});
    Result<void> close(Transaction &transaction, const Lease &lease, const AttemptEnd &end);
    Result<void> move(Transaction &transaction, const Operation &from, const Operation &to);
    Result<ChangedEntries> endSomeWaits(Transaction &transaction);

    std::unique_ptr<AccountTables> tables;
    QString owner;
};

Result<std::unique_ptr<SyncJournal>> SyncJournal::open(const QString &databasePath, AccountId account,
                                                       const QString &leaseOwner, Clock &clock,
                                                       Random &random)
{
    auto tables = AccountTables::open(databasePath, account, clock, random);
    if (!tables)
        return tables.error();
    const auto installId = AccountRepository(*(*tables)->connection).installId();
    if (!installId)
        return installId.error();
    auto opened = std::make_unique<Private>();
    opened->tables = *std::move(tables);
    opened->owner = *installId + QLatin1Char('/') + leaseOwner;
    return std::unique_ptr<SyncJournal>(new SyncJournal(std::move(opened)));
}

SyncJournal::SyncJournal(std::unique_ptr<Private> opened) : d(std::move(opened)) {}

SyncJournal::~SyncJournal() = default;

const Account &SyncJournal::account() const { return d->tables->account; }

// --- Taking ----------------------------------------------------------------------------------------------

Result<QList<Lease>> SyncJournal::lease(int limit, AttemptTrigger trigger)
{
    auto leases =
        d->write([&](Transaction &transaction) { return d->leaseReady(transaction, limit, trigger); });
    if (leases && !leases->isEmpty())
        crashPoint(CrashPoint::LeaseCommitted);
    return leases;
}

Result<QList<Lease>> SyncJournal::Private::leaseReady(Transaction &transaction, int limit,
                                                      AttemptTrigger trigger)
{
    const Instant now = tables->clock.now();
    const auto paused = isPaused(now);
    if (!paused || *paused)
        return paused ? Result<QList<Lease>>(QList<Lease>()) : paused.error();
    const auto recovered = recoverLeases(transaction, now);
    if (!recovered)
        return recovered.error();
    const auto ready = tables->queue.ready(now, limit);
    if (!ready)
        return ready.error();
    QList<Lease> leases;
    for (const Operation &operation : *ready) {
        if (!isKnownPayload(operation)) {
            const Operation kept = ended(operation, OperationState::Quarantined);
            if (const auto moved = move(transaction, operation, kept); !moved)
                return moved.error();
            continue;
        }
        const auto why = recovered->contains(operation.id) ? AttemptTrigger::LeaseRecovered : trigger;
        const auto taken = take(transaction, operation, why, now);
        if (!taken)
            return taken.error();
        leases.append(*taken);
    }
    return leases;
}

/// Signed out, or told by the server to wait.
Result<bool> SyncJournal::Private::isPaused(Instant now) const
{
    const AccountRepository accounts(*tables->connection);
    const auto account = accounts.byId(tables->account.id);
    if (!account)
        return account.error();
    const auto waits = accounts.waits(tables->account.id);
    if (!waits)
        return waits.error();
    return !account->signedIn || blockInEffect(waits->blockedUntil, now).has_value();
}

/// Takes the turn from whoever did not come back: how far those attempts came is not known.
Result<QSet<OperationId>> SyncJournal::Private::recoverLeases(Transaction &transaction, Instant now)
{
    const auto expired = tables->queue.withExpiredLease(now);
    if (!expired)
        return expired.error();
    QSet<OperationId> recovered;
    for (const Operation &operation : *expired) {
        if (const auto ended =
                end(transaction, operation, unanswered(AttemptResult::LeaseExpired, clientcode::noReply),
                    OperationState::Pending);
            !ended)
            return ended.error();
        recovered.insert(operation.id);
    }
    return recovered;
}

Result<Lease> SyncJournal::Private::take(Transaction &transaction, const Operation &operation,
                                         AttemptTrigger trigger, Instant now)
{
    Operation leased = ended(operation, OperationState::Sending);
    leased.leaseOwner = owner;
    leased.leaseExpiresAt = now + leaseLength;
    leased.firstAttemptAt = operation.firstAttemptAt.value_or(now);
    ++leased.attemptCount;
    if (const auto moved = move(transaction, operation, leased); !moved)
        return moved.error();
    if (const auto opened = tables->attempts.open(transaction, leased.id, leased.attemptCount, trigger, now);
        !opened)
        return opened.error();
    return Lease{leased, leased.attemptCount};
}

// --- Ends ------------------------------------------------------------------------------------------------

Result<ChangedEntries> SyncJournal::recordConfirmed(const Lease &lease, const AttemptEnd &end,
                                                    const ServerState &server)
{
    auto changed =
        d->write([&](Transaction &transaction) { return d->confirm(transaction, lease, end, server); });
    if (changed)
        crashPoint(CrashPoint::ReconcileCommitted);
    return changed;
}

Result<ChangedEntries> SyncJournal::Private::confirm(Transaction &transaction, const Lease &lease,
                                                     const AttemptEnd &attemptEnd, const ServerState &server)
{
    // Whoever holds the lease by now: the server has it.
    const auto operation = tables->queue.find(lease.operation.id);
    if (!operation)
        return operation.error();
    if (!*operation) // purged; its proof came long ago
        return ChangedEntries();
    if (const auto closed = close(transaction, lease, attemptEnd); !closed)
        return closed.error();
    if (const auto confirmed = Reconciler(*tables).confirm(transaction, **operation, server); !confirmed)
        return confirmed.error();
    return ChangedEntries{lease.operation.entryId};
}

Result<ChangedEntries> SyncJournal::recordRetry(const Lease &lease, const AttemptEnd &end, Milliseconds wait)
{
    return d->endHeld(lease, end, OperationState::RetryWaiting, wait);
}

Result<ChangedEntries> SyncJournal::recordUncharged(const Lease &lease, const AttemptEnd &end)
{
    AttemptEnd uncharged = end;
    uncharged.charged = false;
    return d->endHeld(lease, uncharged, OperationState::Pending);
}

Result<ChangedEntries> SyncJournal::recordRefused(const Lease &lease, const AttemptEnd &end)
{
    return d->endHeld(lease, end, OperationState::PermanentFailed);
}

Result<ChangedEntries> SyncJournal::recordConflict(const Lease &lease, const AttemptEnd &end,
                                                   const std::optional<ServerState> &server)
{
    return d->write([&](Transaction &transaction) { return d->contest(transaction, lease, end, server); });
}

Result<ChangedEntries> SyncJournal::Private::contest(Transaction &transaction, const Lease &lease,
                                                     const AttemptEnd &attemptEnd,
                                                     const std::optional<ServerState> &server)
{
    const auto operation = held(lease);
    if (!operation)
        return operation.error();
    if (!*operation)
        return ChangedEntries();
    if (const auto closed = close(transaction, lease, attemptEnd); !closed)
        return closed.error();
    if (const auto contested = Reconciler(*tables).contest(transaction, **operation, attemptEnd, server);
        !contested)
        return contested.error();
    return ChangedEntries{lease.operation.entryId};
}

/// The operation as long as the lease holds; nothing once somebody else took it over or it was reconciled.
Result<std::optional<Operation>> SyncJournal::Private::held(const Lease &lease) const
{
    const auto found = tables->queue.find(lease.operation.id);
    if (!found || !*found)
        return found;
    const bool holds = (*found)->state == OperationState::Sending &&
                       (*found)->leaseOwner == lease.operation.leaseOwner &&
                       (*found)->attemptCount == lease.attemptNumber;
    return holds ? found : std::optional<Operation>();
}

Result<ChangedEntries> SyncJournal::Private::endHeld(const Lease &lease, const AttemptEnd &attemptEnd,
                                                     OperationState state, Milliseconds wait)
{
    return write([&](Transaction &transaction) -> Result<ChangedEntries> {
        const auto operation = held(lease);
        if (!operation)
            return operation.error();
        if (!*operation)
            return ChangedEntries();
        if (const auto ended = end(transaction, **operation, attemptEnd, state, wait); !ended)
            return ended.error();
        return ChangedEntries{lease.operation.entryId};
    });
}

/// Ends the attempt of an operation that is being sent.
Result<void> SyncJournal::Private::end(Transaction &transaction, const Operation &operation,
                                       const AttemptEnd &attemptEnd, OperationState state, Milliseconds wait)
{
    const Instant now = tables->clock.now();
    if (const auto closed =
            tables->attempts.close(transaction, operation.id, operation.attemptCount, attemptEnd, now);
        !closed)
        return closed;
    Operation next = ended(operation, state);
    next.lastErrorCode = attemptEnd.errorCode;
    next.lastErrorDetail = attemptEnd.errorDetail;
    if (state == OperationState::RetryWaiting) {
        next.waitStartedAt = now;
        next.waitLength = wait;
    }
    return move(transaction, operation, next);
}

Result<void> SyncJournal::Private::close(Transaction &transaction, const Lease &lease, const AttemptEnd &end)
{
    return tables->attempts.close(transaction, lease.operation.id, lease.attemptNumber, end,
                                  tables->clock.now());
}

Result<void> SyncJournal::Private::move(Transaction &transaction, const Operation &from, const Operation &to)
{
    const auto moved = tables->queue.transition(transaction, from, to);
    if (!moved)
        return moved.error();
    if (!*moved) // read under the same write lock
        return Error{ErrorKind::Internal, QStringLiteral("an operation changed under the write lock")};
    return tables->settle(transaction, to.entryId, HistoryReason::ChangedRemotely);
}

// --- Waits -----------------------------------------------------------------------------------------------

Result<ChangedEntries> SyncJournal::clearWaits()
{
    if (const auto cleared = setWaits({}); !cleared)
        return cleared.error();
    ChangedEntries changed;
    for (;;) {
        const auto some = d->write([&](Transaction &transaction) { return d->endSomeWaits(transaction); });
        if (!some)
            return some.error();
        if (some->isEmpty())
            return changed;
        changed += *some;
    }
}

Result<ChangedEntries> SyncJournal::Private::endSomeWaits(Transaction &transaction)
{
    const auto waiting = tables->queue.waiting(waitsPerTransaction);
    if (!waiting)
        return waiting.error();
    ChangedEntries changed;
    for (const Operation &operation : *waiting) {
        if (const auto moved = move(transaction, operation, ended(operation, OperationState::Pending));
            !moved)
            return moved.error();
        changed.append(operation.entryId);
    }
    return changed;
}

Result<ChangedEntries> SyncJournal::releaseLeases()
{
    return d->write([&](Transaction &transaction) -> Result<ChangedEntries> {
        const auto leased = d->tables->queue.leasedBy(d->owner);
        if (!leased)
            return leased.error();
        ChangedEntries changed;
        for (const Operation &operation : *leased) {
            if (const auto ended =
                    d->end(transaction, operation, unanswered(AttemptResult::Aborted, clientcode::aborted),
                           OperationState::Pending);
                !ended)
                return ended.error();
            changed.append(operation.entryId);
        }
        return changed;
    });
}

Result<void> SyncJournal::setWaits(const AccountWaits &waits)
{
    return d->write([&](Transaction &transaction) {
        return AccountRepository(*d->tables->connection).setWaits(transaction, account().id, waits);
    });
}

Result<AccountWaits> SyncJournal::waits() const
{
    return AccountRepository(*d->tables->connection).waits(account().id);
}

// --- Reading ---------------------------------------------------------------------------------------------

Result<int> SyncJournal::chargedAttempts(const OperationId &id) const
{
    const auto charged = d->tables->attempts.charged(id);
    return charged ? Result<int>(static_cast<int>(*charged)) : Result<int>(charged.error());
}

Result<std::optional<Instant>> SyncJournal::nextReadyAt() const
{
    const Instant now = d->tables->clock.now();
    const auto readyAt = daybook::nextReadyAt(*d->tables->connection, account().id, now);
    if (!readyAt || !*readyAt)
        return readyAt;
    const AccountRepository accounts(*d->tables->connection);
    const auto account = accounts.byId(this->account().id);
    const auto waits = accounts.waits(this->account().id);
    if (!account || !waits)
        return account ? waits.error() : account.error();
    if (!account->signedIn)
        return std::optional<Instant>();
    const auto block = blockInEffect(waits->blockedUntil, now);
    return block ? std::optional(std::max(**readyAt, *block)) : *readyAt;
}

Result<QueueSummary> SyncJournal::summary() const
{
    return queueSummary(*d->tables->connection, account().id, d->tables->clock.now());
}

} // namespace daybook
