#include "models/store/syncjournal.h"

#include "models/domain/crashpoint.h"
#include "models/store/accountrepository.h"
#include "models/store/accounttables.h"
#include "models/store/connection.h"
#include "models/store/leasing.h"
#include "models/store/queuemetrics.h"
#include "models/store/reconciler.h"
#include "models/store/transaction.h"

#include <algorithm>
#include <utility>

namespace daybook {

namespace {

/// How many waits one transaction ends, so that a Save in between never waits long.
constexpr int waitsPerTransaction = 200;

} // namespace

struct SyncJournal::Private
{
    Private(std::unique_ptr<AccountTables> opened, const QString &owner)
        : tables(std::move(opened)),
          leasing(*tables, owner)
    {
    }

    template<typename Work>
    auto write(const Work &work)
    {
        return inTransaction(*tables->connection, work);
    }

    Result<void> close(Transaction &transaction, const Lease &lease, const AttemptEnd &end)
    {
        return tables->attempts.close(transaction, lease.operation.id, lease.attemptNumber, end,
                                      tables->clock.now());
    }

    Result<ChangedEntries> end(const Lease &lease, const AttemptEnd &end, OperationState state,
                               Milliseconds wait = {});
    Result<ChangedEntries> confirm(Transaction &transaction, const Lease &lease, const AttemptEnd &end,
                                   const ServerState &server);
    Result<ChangedEntries> contest(Transaction &transaction, const Lease &lease, const AttemptEnd &end,
                                   const std::optional<ServerState> &server);

    std::unique_ptr<AccountTables> tables;
    Leasing leasing;
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
    return std::unique_ptr<SyncJournal>(new SyncJournal(
        std::make_unique<Private>(*std::move(tables), *installId + QLatin1Char('/') + leaseOwner)));
}

SyncJournal::SyncJournal(std::unique_ptr<Private> opened) : d(std::move(opened)) {}

SyncJournal::~SyncJournal() = default;

const Account &SyncJournal::account() const { return d->tables->account; }

Result<Leased> SyncJournal::lease(int limit, AttemptTrigger trigger)
{
    auto leased =
        d->write([&](Transaction &transaction) { return d->leasing.take(transaction, limit, trigger); });
    if (leased && !leased->leases.isEmpty())
        crashPoint(CrashPoint::LeaseCommitted);
    return leased;
}

// --- Ends of attempts ------------------------------------------------------------------------------------

Result<ChangedEntries> SyncJournal::recordConfirmed(const Lease &lease, const AttemptEnd &end,
                                                    const ServerState &server)
{
    auto changed =
        d->write([&](Transaction &transaction) { return d->confirm(transaction, lease, end, server); });
    if (changed)
        crashPoint(CrashPoint::ReconcileCommitted);
    return changed;
}

Result<ChangedEntries> SyncJournal::recordRetry(const Lease &lease, const AttemptEnd &end, Milliseconds wait)
{
    return d->end(lease, end, OperationState::RetryWaiting, wait);
}

Result<ChangedEntries> SyncJournal::recordUncharged(const Lease &lease, const AttemptEnd &end)
{
    AttemptEnd uncharged = end;
    uncharged.charged = false;
    return d->end(lease, uncharged, OperationState::Pending);
}

Result<ChangedEntries> SyncJournal::recordRefused(const Lease &lease, const AttemptEnd &end)
{
    return d->end(lease, end, OperationState::PermanentFailed);
}

Result<ChangedEntries> SyncJournal::recordConflict(const Lease &lease, const AttemptEnd &end,
                                                   const std::optional<ServerState> &server)
{
    return d->write([&](Transaction &transaction) { return d->contest(transaction, lease, end, server); });
}

Result<ChangedEntries> SyncJournal::Private::end(const Lease &lease, const AttemptEnd &attemptEnd,
                                                 OperationState state, Milliseconds wait)
{
    return write([&](Transaction &transaction) -> Result<ChangedEntries> {
        const auto operation = leasing.held(lease);
        if (!operation)
            return operation.error();
        if (!*operation)
            return ChangedEntries();
        if (const auto ended = leasing.end(transaction, **operation, attemptEnd, state, wait); !ended)
            return ended.error();
        return ChangedEntries{lease.operation.entryId};
    });
}

/// Whoever holds the lease by now: the server has it.
Result<ChangedEntries> SyncJournal::Private::confirm(Transaction &transaction, const Lease &lease,
                                                     const AttemptEnd &attemptEnd, const ServerState &server)
{
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

Result<ChangedEntries> SyncJournal::Private::contest(Transaction &transaction, const Lease &lease,
                                                     const AttemptEnd &attemptEnd,
                                                     const std::optional<ServerState> &server)
{
    const auto operation = leasing.held(lease);
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

// --- Waits and counts ------------------------------------------------------------------------------------

Result<ChangedEntries> SyncJournal::clearWaits()
{
    const auto cleared = d->write([this](Transaction &transaction) {
        return AccountRepository(*d->tables->connection).setWaits(transaction, account().id, {});
    });
    if (!cleared)
        return cleared.error();
    ChangedEntries changed;
    for (;;) {
        const auto some = d->write([this](Transaction &transaction) {
            return d->leasing.endWaits(transaction, waitsPerTransaction);
        });
        if (!some)
            return some.error();
        if (some->isEmpty())
            return changed;
        changed += *some;
    }
}

Result<ChangedEntries> SyncJournal::releaseLeases()
{
    return d->write([this](Transaction &transaction) { return d->leasing.release(transaction); });
}

Result<bool> SyncJournal::setWaits(const AccountWaits &known, const AccountWaits &waits)
{
    return d->write([&](Transaction &transaction) -> Result<bool> {
        AccountRepository accounts(*d->tables->connection);
        const auto stored = accounts.waits(account().id);
        if (!stored)
            return stored.error();
        if (*stored != known)
            return false;
        const auto written = accounts.setWaits(transaction, account().id, waits);
        return written ? Result<bool>(true) : Result<bool>(written.error());
    });
}

Result<AccountWaits> SyncJournal::waits() const
{
    return AccountRepository(*d->tables->connection).waits(account().id);
}

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
    const auto known = accounts.byId(account().id);
    const auto waits = accounts.waits(account().id);
    if (!known || !waits)
        return known ? waits.error() : known.error();
    if (!known->signedIn)
        return std::optional<Instant>();
    const auto block = blockInEffect(waits->blockedUntil, now);
    return block ? std::optional(std::max(**readyAt, *block)) : *readyAt;
}

Result<QueueSummary> SyncJournal::summary() const
{
    return queueSummary(*d->tables->connection, account().id, d->tables->clock.now());
}

} // namespace daybook
