#pragma once

#include "models/domain/attempt.h"
#include "models/domain/entry.h"
#include "models/domain/operation.h"
#include "models/store/statement.h"
#include "sync/protocol/fingerprint.h"
#include "sync/protocol/messages.h"

#include <QTest>

namespace daybook {

template<typename Id>
Id idNumber(int number)
{
    return Id(
        *Id::fromString(QStringLiteral("00000000-0000-4000-8000-%1").arg(number, 12, 16, QLatin1Char('0'))));
}

inline EntryFields fieldsOf(const QString &category)
{
    return {*DecimalValue::fromThousandths(72'500),
            {fromEpochMilliseconds(1'700'000'000'000), std::chrono::minutes(60)},
            category,
            QStringLiteral("secret note")};
}

/// Builds a store with one entry in each situation. An entry's category names its situation, and an
/// operation's seq is how the rows below refer to it.
class StoreBuilder
{
public:
    explicit StoreBuilder(Connection &connection) : m_connection(connection) {}

    void run(const QString &sql)
    {
        const auto done = change(m_connection, sql);
        QVERIFY2(done.ok(), qPrintable(sql + (done ? QString() : done.error().detail)));
    }

    void entry(int account, int id, const char *category, SyncState state, std::optional<int> serverVersion)
    {
        const EntryFields fields = fieldsOf(QLatin1StringView(category));
        const auto done = change(
            m_connection, QStringLiteral(R"(INSERT INTO entries (account_id, local_id, value, recorded_at,
    recorded_offset, category, note, deleted, sync_state, sync_error)
VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ''))"),
            account, idNumber<ClientEntryId>(id), fields.value, fields.recordedAt.instant,
            fields.recordedAt.utcOffset, fields.category, fields.note, state);
        QVERIFY(done.ok());
        if (serverVersion)
            run(QStringLiteral(R"(UPDATE entries SET server_id = 's', version = %1, server_value = value,
    server_recorded_at = recorded_at, server_recorded_offset = recorded_offset, server_category = category,
    server_note = note, server_deleted = 0 WHERE category = '%2')")
                    .arg(*serverVersion)
                    .arg(QLatin1StringView(category)));
    }

    void operation(int seq, int account, int entry, OperationType type, OperationState state,
                   std::optional<int> baseVersion = {})
    {
        const auto id = idNumber<ClientEntryId>(entry);
        const EntryFields fields = shownFields(id);
        const bool deletes = type == OperationType::DeleteEntry;
        const QByteArray payload = deletes                              ? QByteArray()
                                   : type == OperationType::CreateEntry ? encodeCreateEntry(id, fields)
                                                                        : encodeUpdateEntry(fields);
        const auto completedAt = isUnfinished(state) ? std::nullopt : std::optional(2);
        const auto done =
            change(m_connection, QStringLiteral(R"(INSERT INTO offline_operations
    (seq, operation_id, account_id, local_entity_id, operation_type, payload_version, payload_json,
     payload_fingerprint, base_version, state, is_head, created_at, completed_at)
VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, 1, 1, ?))"),
                   seq, idNumber<OperationId>(seq), account, id, type, payload,
                   fingerprint(type, id, deletes ? nullptr : &fields), baseVersion, state, completedAt);
        QVERIFY2(done.ok(), qPrintable(done ? QString() : done.error().detail));
    }

    /// The next attempt of operation \p seq; without a result it is still under way.
    void attempt(int seq, std::optional<AttemptResult> result)
    {
        run(QStringLiteral("UPDATE offline_operations SET attempt_count = attempt_count + 1, "
                           "first_attempt_at = 1 WHERE seq = %1")
                .arg(seq));
        const auto finishedAt = result ? std::optional(2) : std::nullopt;
        const auto done = change(m_connection, QStringLiteral(R"(INSERT INTO operation_attempts
    (operation_id, attempt_no, account_id, trigger, started_at, finished_at, result)
SELECT operation_id, attempt_count, account_id, 0, 1, ?, ? FROM offline_operations WHERE seq = ?)"),
                                 finishedAt, result, seq);
        QVERIFY(done.ok());
    }

private:
    EntryFields shownFields(const ClientEntryId &id)
    {
        const auto category = selectFirst(
            m_connection, QStringLiteral("SELECT category FROM entries WHERE local_id = ?"), readText, id);
        return fieldsOf(category->value_or(QString()));
    }

    Connection &m_connection;
};

inline void buildAccounts(StoreBuilder &store)
{
    store.run(QStringLiteral(R"(INSERT INTO accounts (account_id, server_origin, server_account_id, username,
    display_name, signed_in, change_cursor)
VALUES (2, 'https://a.example', 'a2', 'ann', '', 1, 'c1'), (3, 'https://a.example', 'a3', 'bob', '', 0, ''))"));
    store.entry(1, 1, "local", SyncState::LocalOnly, {});
    store.entry(3, 2, "other", SyncState::Synced, 1);
    store.entry(3, 3, "others-waiting", SyncState::Waiting, {});
}

/// One account with an entry in every situation there is.
inline void buildQueue(StoreBuilder &store)
{
    using enum OperationType;
    using enum OperationState;
    store.entry(2, 11, "synced", SyncState::Synced, 1);
    store.operation(1, 2, 11, CreateEntry, Done);
    store.attempt(1, AttemptResult::Confirmed);
    store.run(QStringLiteral(R"(INSERT INTO entry_history (account_id, local_id, reason, replaced_at, value,
    recorded_at, recorded_offset, category, note)
SELECT account_id, local_id, 1, 1, value, recorded_at, recorded_offset, category, note
FROM entries WHERE category = 'synced')"));

    store.entry(2, 12, "waiting", SyncState::Waiting, {});
    store.operation(2, 2, 12, CreateEntry, Superseded);
    store.operation(3, 2, 12, CreateEntry, Pending);
    store.run(QStringLiteral(R"(UPDATE offline_operations
SET superseded_by = (SELECT operation_id FROM offline_operations WHERE seq = 3) WHERE seq = 2)"));

    store.entry(2, 13, "sending", SyncState::Sending, 1);
    store.operation(4, 2, 13, UpdateEntry, Sending, 1);
    store.attempt(4, AttemptResult::Unknown);
    store.attempt(4, {});
    store.run(QStringLiteral(
        "UPDATE offline_operations SET lease_owner = 'me', lease_expires_at = 9 WHERE seq = 4"));
    store.operation(5, 2, 13, UpdateEntry, Pending);
    store.run(QStringLiteral("UPDATE offline_operations SET is_head = 0 WHERE seq = 5"));

    store.entry(2, 14, "retry", SyncState::RetryWaiting, {});
    store.operation(6, 2, 14, CreateEntry, RetryWaiting);
    store.attempt(6, AttemptResult::NotNow);
    store.run(QStringLiteral(R"(UPDATE offline_operations
SET wait_started_at = 5, wait_length = 10, last_error_code = 'RATE_LIMITED' WHERE seq = 6)"));
    store.run(QStringLiteral(
        "UPDATE entries SET sync_error = 'RATE_LIMITED', next_attempt_at = 15 WHERE category = 'retry'"));

    store.entry(2, 15, "refused", SyncState::NeedsAttention, {});
    store.operation(7, 2, 15, CreateEntry, PermanentFailed);
    store.attempt(7, AttemptResult::Refused);

    store.entry(2, 16, "conflict", SyncState::Conflict, 2);
    store.operation(8, 2, 16, UpdateEntry, Conflict, 1);
    store.attempt(8, AttemptResult::Conflict);
    store.run(QStringLiteral("UPDATE entries SET server_value = 1 WHERE category = 'conflict'"));

    store.entry(2, 17, "deleted", SyncState::Waiting, 1);
    store.operation(9, 2, 17, DeleteEntry, Pending, 1);
    store.run(QStringLiteral("UPDATE entries SET deleted = 1 WHERE category = 'deleted'"));

    store.entry(2, 18, "quarantined", SyncState::NeedsAttention, {});
    store.operation(10, 2, 18, CreateEntry, Quarantined);
    store.run(QStringLiteral(
        "UPDATE offline_operations SET payload_version = 9, payload_json = x'00' WHERE seq = 10"));

    store.entry(2, 19, "given-up", SyncState::Synced, 1);
    store.operation(11, 2, 19, UpdateEntry, Discarded, 1);
    store.attempt(11, AttemptResult::Refused);

    store.operation(12, 3, 3, CreateEntry, Pending);
}

} // namespace daybook
