#include "tests/bench/filling.h"

#include "models/domain/clock.h"
#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/statement.h"
#include "models/store/transaction.h"
#include "tests/bench/report.h"

#include <algorithm>

namespace daybook {

namespace {

const QString noServer = QStringLiteral("http://daybook-bench.invalid");

/// Runs \p sql in a transaction of its own for every piece of at most entriesPerTransaction numbers: the
/// account, the first number of the piece and the last one are its parameters, then \p more.
template<typename... More>
Result<Durations> inPieces(Connection &connection, AccountId account, qint64 count, const QString &sql,
                           const More &...more)
{
    // Ids are random, so every insert may touch any page: they should all stay in memory.
    if (const auto set = change(connection, QStringLiteral("PRAGMA cache_size = -524288")); !set)
        return set.error();
    Durations durations;
    for (qint64 first = 1; first <= count; first += entriesPerTransaction) {
        const qint64 last = std::min(first + entriesPerTransaction - 1, count);
        QElapsedTimer timer;
        timer.start();
        auto transaction = Transaction::begin(connection);
        if (!transaction)
            return transaction.error();
        if (const auto done = change(connection, sql, account, first, last, more...); !done)
            return done.error();
        if (const auto committed = transaction->commit(); !committed)
            return committed.error();
        durations.add(millisecondsOf(timer));
    }
    return durations;
}

} // namespace

Result<Account> measuredAccount(Connection &connection)
{
    const AccountRepository accounts(connection);
    auto current = accounts.current();
    if (!current || !current->isLocalOnly())
        return current;
    auto transaction = Transaction::begin(connection);
    if (!transaction)
        return transaction.error();
    Account account;
    account.serverOrigin = noServer;
    account.serverAccountId = QStringLiteral("daybook-bench");
    account.username = QStringLiteral("bench");
    account.signedIn = true;
    auto made = AccountRepository(connection).signIn(*transaction, account);
    if (!made)
        return made;
    if (const auto committed = transaction->commit(); !committed)
        return committed.error();
    return made;
}

bool isWithoutServer(const Account &account) { return account.serverOrigin == noServer; }

// One entry an hour, ids as random as real ones.
Result<Durations> fillEntries(Connection &connection, AccountId account, qint64 count)
{
    return inPieces(connection, account, count, QStringLiteral(R"(
INSERT INTO entries (account_id, local_id, value, recorded_at, recorded_offset, category, note, deleted,
    server_id, version, server_value, server_recorded_at, server_recorded_offset, server_category, server_note,
    server_deleted, sync_state, sync_error)
WITH RECURSIVE given (account, first, last) AS (VALUES (?, ?, ?)),
numbers (n) AS (SELECT first FROM given UNION ALL SELECT n + 1 FROM numbers, given WHERE n < last),
drafts AS (SELECT n % 100000 + 1 AS value, 1700000000000 - n * 3600000 AS at, n % 12 AS category,
    'measured in the morning, number ' || n AS note FROM numbers)
SELECT (SELECT account FROM given), randomblob(16), value, at, 60, 'category ' || category, note, 0,
    'server-' || at, 1, value, at, 60, 'category ' || category, note, 0, 0, '' FROM drafts)"));
}

Result<void> fillOperations(Connection &connection, AccountId account, qint64 count, OperationState state)
{
    const SyncState badge = state == OperationState::Pending        ? SyncState::Waiting
                            : state == OperationState::RetryWaiting ? SyncState::RetryWaiting
                                                                    : SyncState::Synced;
    const auto entries = inPieces(connection, account, count, QStringLiteral(R"(
INSERT INTO entries (account_id, local_id, value, recorded_at, recorded_offset, category, note, deleted,
    sync_state, sync_error)
WITH RECURSIVE given (account, first, last) AS (VALUES (?, ?, ?)),
numbers (n) AS (SELECT first FROM given UNION ALL SELECT n + 1 FROM numbers, given WHERE n < last)
SELECT (SELECT account FROM given), randomblob(16), n, n, 0, '', '', 0, ?, '' FROM numbers)"),
                                  badge);
    if (!entries)
        return entries.error();

    // A wait that was begun now and ends with the day.
    const Instant now = SystemClock().now();
    const bool waits = state == OperationState::RetryWaiting;
    const std::optional<Instant> waitStartedAt = waits ? std::optional(now) : std::nullopt;
    const Milliseconds waitLength = waits ? std::chrono::hours(24) : Milliseconds();
    const auto completedAt = isUnfinished(state) ? std::nullopt : std::optional(now);
    const auto operations = inPieces(connection, account, count, QStringLiteral(R"(
INSERT INTO offline_operations (operation_id, account_id, local_entity_id, operation_type, payload_version,
    payload_json, payload_fingerprint, state, is_head, wait_started_at, wait_length, created_at, completed_at)
SELECT randomblob(16), account_id, local_id, 1, 1, zeroblob(180), randomblob(32), ?4, 1, ?5, ?6, ?7, ?8
FROM entries WHERE account_id = ?1 AND recorded_at BETWEEN ?2 AND ?3 AND deleted = 0)"),
                                     state, waitStartedAt, waitLength, now, completedAt);
    return operations ? Result<void>() : operations.error();
}

} // namespace daybook
