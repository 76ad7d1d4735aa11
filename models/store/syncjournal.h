#pragma once

#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/clock.h"
#include "models/domain/operation.h"
#include "models/domain/random.h"
#include "models/domain/result.h"

#include <QList>

#include <memory>

namespace daybook {

constexpr Milliseconds leaseLength = std::chrono::seconds(90);

/// The right to send one operation until the lease ends.
struct Lease
{
    Operation operation; ///< as it stands once leased: state sending, attempt counted
    int attemptNumber = 0;
};

/// What the transport and the classifier found out about an attempt; written to the attempt's row.
struct AttemptEnd
{
    AttemptResult result = AttemptResult::Unknown;
    int httpStatus = 0;
    QString errorCode;   ///< becomes last_error_code of the operation where the attempt did not succeed
    QString errorDetail; ///< what a person can be told (never a value or a note)
    bool replayed = false;
    bool charged = true;
};

/// What a write changed: the entries to read again. Empty where the lease was lost and the result did not
/// count.
using ChangedEntries = QList<ClientEntryId>;

/// What taking leases did.
struct Leased
{
    QList<Lease> leases;
    ChangedEntries changed; ///< also those that were taken back or cannot be sent
};

/// Where the account's waits stand, kept over restarts.
struct AccountWaits
{
    std::optional<Instant> blockedUntil; ///< floor set by the server for the whole account
    QString blockedReason;               ///< a protocol code, or empty
    int probeStep = 0;                   ///< how many probes in a row found the server unreachable

    bool operator==(const AccountWaits &) const = default;
};

/// The queue of one account as the sync worker uses it. Each method is one transaction; results of a lost
/// lease are ignored unless they say that the server has the operation.
/// **Thread:** the worker's (one SQLite connection of its own).
class SyncJournal
{
public:
    /// \p leaseOwner identifies this process and connection, unique among all that are alive.
    static Result<std::unique_ptr<SyncJournal>> open(const QString &databasePath, AccountId account,
                                                     const QString &leaseOwner, Clock &clock, Random &random);
    ~SyncJournal();

    const Account &account() const;

    /// Leases up to \p limit ready operations, oldest first, counts the attempts and opens their rows.
    /// Expired leases are taken over (their attempts closed as lease_expired). Empty when nothing is ready or
    /// the account is blocked. What cannot be read is quarantined.
    Result<Leased> lease(int limit, AttemptTrigger trigger);

    /// The server has it (2xx or replay): server state by version, operation done, next operation of the
    /// entry gets its base_version; shown = server state where nothing is unfinished. Doing it twice changes
    /// nothing.
    Result<ChangedEntries> recordConfirmed(const Lease &lease, const AttemptEnd &end,
                                           const ServerState &server);
    /// -> retry_waiting from now for \p wait.
    Result<ChangedEntries> recordRetry(const Lease &lease, const AttemptEnd &end, Milliseconds wait);
    /// -> pending, ready at once; for ends that are nobody's fault (not reachable, session refresh, quit).
    Result<ChangedEntries> recordUncharged(const Lease &lease, const AttemptEnd &end);
    /// -> permanent_failed.
    Result<ChangedEntries> recordRefused(const Lease &lease, const AttemptEnd &end);
    /// The server's state is not what the edit started from: server state taken by version; fields changed on
    /// one side only merge into one new operation, else -> conflict. \p server is empty where the server has
    /// no such entry.
    Result<ChangedEntries> recordConflict(const Lease &lease, const AttemptEnd &end,
                                          const std::optional<ServerState> &server);

    /// Ends every wait of the account (Sync now): retry_waiting -> pending, block and probe step cleared.
    Result<ChangedEntries> clearWaits();
    /// Gives the leases of this owner back as pending, attempts closed as aborted: for quitting.
    Result<ChangedEntries> releaseLeases();
    /// False where the waits are not \p known any more: another process was told something meanwhile.
    Result<bool> setWaits(const AccountWaits &known, const AccountWaits &waits);
    Result<AccountWaits> waits() const;

    /// Charged attempts of an operation in a row without a success: the step of its backoff.
    Result<int> chargedAttempts(const OperationId &id) const;
    /// When the next operation becomes ready: now or earlier when one is, empty when nothing is unfinished
    /// and sendable. A lease that another process holds counts with its end.
    Result<std::optional<Instant>> nextReadyAt() const;
    Result<QueueSummary> summary() const;

private:
    struct Private;
    explicit SyncJournal(std::unique_ptr<Private> opened);

    std::unique_ptr<Private> d;
};

} // namespace daybook
