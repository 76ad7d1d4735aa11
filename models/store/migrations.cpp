#include "models/store/migrations.h"

#include "models/store/statement.h"
#include "models/store/transaction.h"

#include <array>
#include <span>

namespace daybook {

namespace {

// Numbers in the conditions of partial indexes are those of OperationState and SyncState, which never change:
//   operations: 0 pending, 1 sending, 2 retry_waiting, 3 permanent_failed, 4 conflict, 5 quarantined (up to
//   here unfinished), 6 done, 7 superseded, 8 discarded
//   entries: 0 synced, 1 to 4 on their way, 5 needs attention, 6 conflict, 7 local only

const char *const accountsAndEntries[] = {
    R"(CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID)",
    R"(INSERT INTO meta VALUES ('install_id', lower(hex(randomblob(16)))))",

    R"(CREATE TABLE accounts (
    account_id INTEGER PRIMARY KEY,
    server_origin TEXT NOT NULL, -- empty: the local-only account
    server_account_id TEXT NOT NULL,
    username TEXT NOT NULL,
    display_name TEXT NOT NULL,
    signed_in INTEGER NOT NULL,
    sign_in_number INTEGER NOT NULL DEFAULT 0, -- rises with every sign-in
    change_cursor TEXT NOT NULL DEFAULT '',
    blocked_until INTEGER,
    blocked_reason TEXT NOT NULL DEFAULT '',
    probe_step INTEGER NOT NULL DEFAULT 0,
    UNIQUE (server_origin, server_account_id)
) STRICT)",
    R"(INSERT INTO accounts (account_id, server_origin, server_account_id, username, display_name, signed_in)
VALUES (1, '', '', '', '', 0))",

    // What the person sees, the server's last known state (all NULL until it confirmed the entry once), and
    // the badge.
    R"(CREATE TABLE entries (
    account_id INTEGER NOT NULL REFERENCES accounts,
    local_id BLOB NOT NULL, -- clientEntryId, 16 bytes
    value INTEGER NOT NULL, -- thousandths
    recorded_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    recorded_offset INTEGER NOT NULL, -- minutes
    category TEXT NOT NULL,
    note TEXT NOT NULL,
    deleted INTEGER NOT NULL, -- shown as gone, while an operation about it is unfinished
    server_id TEXT,
    version INTEGER,
    server_value INTEGER,
    server_recorded_at INTEGER,
    server_recorded_offset INTEGER,
    server_category TEXT,
    server_note TEXT,
    server_deleted INTEGER,
    sync_state INTEGER NOT NULL,
    sync_error TEXT NOT NULL,
    next_attempt_at INTEGER,
    PRIMARY KEY (account_id, local_id)
) STRICT)",
    R"(CREATE INDEX entries_shown ON entries (account_id, recorded_at DESC, local_id) WHERE deleted = 0)",
    R"(CREATE INDEX entries_by_category ON entries (account_id, category, recorded_at DESC, local_id)
WHERE deleted = 0)",
    R"(CREATE INDEX entries_not_synced ON entries (account_id, recorded_at DESC, local_id)
WHERE deleted = 0 AND sync_state BETWEEN 1 AND 6)",
    // Also deleted ones: a refused or contested deletion needs the person too.
    R"(CREATE INDEX entries_needing_attention ON entries (account_id, recorded_at DESC, local_id)
WHERE sync_state = 5)",
    R"(CREATE INDEX entries_in_conflict ON entries (account_id, recorded_at DESC, local_id)
WHERE sync_state = 6)",

    // What an entry was before each change that took a value away. Never sent.
    R"(CREATE TABLE entry_history (
    history_id INTEGER PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES accounts,
    local_id BLOB NOT NULL,
    reason INTEGER NOT NULL,
    replaced_at INTEGER NOT NULL,
    version INTEGER,
    value INTEGER NOT NULL,
    recorded_at INTEGER NOT NULL,
    recorded_offset INTEGER NOT NULL,
    category TEXT NOT NULL,
    note TEXT NOT NULL
) STRICT)",
    R"(CREATE INDEX history_of_entry ON entry_history (account_id, local_id))",
};

const char *const operationsAndAttempts[] = {
    // is_head: no earlier unfinished operation of the same entry. Kept so that "the next ready one" never
    // walks over operations that wait behind another.
    R"(CREATE TABLE offline_operations (
    seq INTEGER PRIMARY KEY, -- the order of intents
    operation_id BLOB NOT NULL UNIQUE, -- 16 bytes
    account_id INTEGER NOT NULL REFERENCES accounts,
    entity_type INTEGER NOT NULL DEFAULT 1, -- 1: entry
    local_entity_id BLOB NOT NULL,
    operation_type INTEGER NOT NULL,
    payload_version INTEGER NOT NULL,
    payload_json BLOB NOT NULL, -- the request body, byte for byte; empty for a delete
    payload_fingerprint BLOB NOT NULL, -- 32 bytes
    base_version INTEGER,
    base_json BLOB,
    state INTEGER NOT NULL,
    is_head INTEGER NOT NULL,
    attempt_count INTEGER NOT NULL DEFAULT 0,
    first_attempt_at INTEGER,
    wait_started_at INTEGER,
    wait_length INTEGER NOT NULL DEFAULT 0,
    lease_owner TEXT,
    lease_expires_at INTEGER,
    last_error_code TEXT NOT NULL DEFAULT '',
    last_error_detail TEXT NOT NULL DEFAULT '',
    superseded_by BLOB, -- empty also where nothing had to be sent instead
    created_at INTEGER NOT NULL,
    completed_at INTEGER
) STRICT)",
    // Together these two hold every operation once, so that the way from an entry to its unfinished ones is
    // short however many are finished.
    R"(CREATE INDEX operations_unfinished_of_entry ON offline_operations (account_id, local_entity_id)
WHERE state <= 5)",
    R"(CREATE INDEX operations_finished_of_entry ON offline_operations (account_id, local_entity_id)
WHERE state > 5)",
    R"(CREATE INDEX operations_pending ON offline_operations (account_id, is_head) WHERE state = 0)",
    R"(CREATE UNIQUE INDEX operations_sending ON offline_operations (account_id, local_entity_id)
WHERE state = 1)",
    R"(CREATE INDEX operations_by_wait_end
ON offline_operations (account_id, wait_started_at + wait_length, created_at) WHERE state = 2)",
    R"(CREATE INDEX operations_by_wait_start
ON offline_operations (account_id, wait_started_at) WHERE state = 2)",
    R"(CREATE INDEX operations_parked ON offline_operations (account_id, state) WHERE state BETWEEN 3 AND 5)",
    R"(CREATE INDEX operations_finished ON offline_operations (account_id, state, completed_at)
WHERE completed_at IS NOT NULL)",

    R"(CREATE TABLE operation_attempts (
    operation_id BLOB NOT NULL REFERENCES offline_operations (operation_id) ON DELETE CASCADE,
    attempt_no INTEGER NOT NULL, -- from 1
    account_id INTEGER NOT NULL REFERENCES accounts,
    trigger INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    finished_at INTEGER, -- NULL while under way
    result INTEGER,
    http_status INTEGER NOT NULL DEFAULT 0,
    error_code TEXT NOT NULL DEFAULT '',
    replayed INTEGER NOT NULL DEFAULT 0,
    charged INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (operation_id, attempt_no)
) STRICT, WITHOUT ROWID)",
};

Result<void> runAll(Connection &connection, std::span<const char *const> statements)
{
    for (const char *statement : statements)
        if (const auto done = execute(connection, QString::fromLatin1(statement)); !done)
            return done.error();
    return {};
}

Result<void> createSchema(Connection &connection, Transaction &)
{
    const QString identify = QStringLiteral("PRAGMA application_id = %1").arg(storeApplicationId);
    if (const auto identified = execute(connection, identify); !identified)
        return identified.error();
    if (const auto done = runAll(connection, accountsAndEntries); !done)
        return done;
    return runAll(connection, operationsAndAttempts);
}

using Migration = Result<void> (*)(Connection &, Transaction &);

/// The N-th leads to user_version N. Released ones never change; new ones are appended.
constexpr std::array<Migration, 1> migrations = {createSchema};

} // namespace

int latestSchemaVersion() { return static_cast<int>(migrations.size()); }

Result<void> migrate(Connection &connection)
{
    for (int version = 1; version <= latestSchemaVersion(); ++version) {
        auto transaction = Transaction::begin(connection);
        if (!transaction)
            return transaction.error();
        // Read inside: another process may have been faster.
        const auto current = selectFirst(connection, QStringLiteral("PRAGMA user_version"), readNumber);
        if (!current)
            return current.error();
        if (current->value_or(0) >= version)
            continue;
        const Migration migration = migrations.at(static_cast<size_t>(version - 1));
        if (const auto done = migration(connection, *transaction); !done)
            return done;
        const QString mark = QStringLiteral("PRAGMA user_version = %1").arg(version);
        if (const auto marked = execute(connection, mark); !marked)
            return marked.error();
        if (const auto committed = transaction->commit(); !committed)
            return committed;
    }
    return {};
}

} // namespace daybook
