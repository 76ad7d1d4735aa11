#include "models/store/entryrepository.h"

#include "models/store/statement.h"
#include "models/store/storeerror.h"

namespace daybook {

namespace {

/// Value, time, offset, category and note from \p column on.
Result<EntryFields> readFields(const Statement &row, int column)
{
    const auto value = DecimalValue::fromThousandths(row.number(column));
    if (!value)
        return damagedRow(value.error().detail);
    return EntryFields{*value,
                       {row.instant(column + 1), std::chrono::minutes(row.number(column + 2))},
                       row.text(column + 3),
                       row.text(column + 4)};
}

} // namespace

QString entryColumns()
{
    return QStringLiteral(
        "local_id, value, recorded_at, recorded_offset, category, note, deleted, sync_state, sync_error, "
        "next_attempt_at, server_id, version, server_value, server_recorded_at, server_recorded_offset, "
        "server_category, server_note, server_deleted");
}

Result<Entry> readEntry(const Statement &row)
{
    const auto fields = readFields(row, 1);
    if (!fields)
        return fields.error();
    Entry entry{row.id<ClientEntryId>(0), *fields, row.flag(6), {}, {}};
    entry.sync = {static_cast<SyncState>(row.number(7)), row.text(8), row.maybeInstant(9)};
    if (row.isNull(11))
        return entry;
    const auto server = readFields(row, 12);
    if (!server)
        return server.error();
    entry.server = ServerState{row.text(10), row.number(11), *server, row.flag(17)};
    return entry;
}

Result<std::optional<Entry>> EntryRepository::find(const ClientEntryId &id) const
{
    return selectFirst(
        m_connection,
        QStringLiteral("SELECT %1 FROM entries WHERE account_id = ? AND local_id = ?").arg(entryColumns()),
        readEntry, m_account, id);
}

Result<void> EntryRepository::insert(Transaction &transaction, const Entry &entry)
{
    const auto inserted = execute(
        m_connection,
        QStringLiteral("INSERT INTO entries (account_id, local_id, value, recorded_at, recorded_offset, "
                       "category, note, deleted, sync_state, sync_error, next_attempt_at) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        m_account, entry.id, entry.fields.value, entry.fields.recordedAt.instant,
        entry.fields.recordedAt.utcOffset, entry.fields.category, entry.fields.note, entry.deleted,
        entry.sync.state, entry.sync.errorCode, entry.sync.nextAttemptAt);
    if (!inserted || !entry.server)
        return inserted;
    return takeServerState(transaction, entry.id, *entry.server);
}

Result<void> EntryRepository::remove(Transaction &, const ClientEntryId &id)
{
    return execute(m_connection, QStringLiteral("DELETE FROM entries WHERE account_id = ? AND local_id = ?"),
                   m_account, id);
}

Result<void> EntryRepository::show(Transaction &, const ClientEntryId &id, const EntryFields &fields,
                                   bool deleted)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE entries SET value = ?, recorded_at = ?, recorded_offset = ?, "
                                  "category = ?, note = ?, deleted = ? "
                                  "WHERE account_id = ? AND local_id = ?"),
                   fields.value, fields.recordedAt.instant, fields.recordedAt.utcOffset, fields.category,
                   fields.note, deleted, m_account, id);
}

Result<void> EntryRepository::takeServerState(Transaction &, const ClientEntryId &id,
                                              const ServerState &server)
{
    const EntryFields &fields = server.fields;
    return execute(m_connection,
                   QStringLiteral("UPDATE entries SET server_id = ?, version = ?, server_value = ?, "
                                  "server_recorded_at = ?, server_recorded_offset = ?, server_category = ?, "
                                  "server_note = ?, server_deleted = ? "
                                  "WHERE account_id = ? AND local_id = ? AND ifnull(version, -1) < ?"),
                   server.entryId, server.version, fields.value, fields.recordedAt.instant,
                   fields.recordedAt.utcOffset, fields.category, fields.note, server.deleted, m_account, id,
                   server.version);
}

Result<void> EntryRepository::forgetServerState(Transaction &, const ClientEntryId &id)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE entries SET server_id = NULL, version = NULL, server_value = NULL, "
                                  "server_recorded_at = NULL, server_recorded_offset = NULL, "
                                  "server_category = NULL, server_note = NULL, server_deleted = NULL "
                                  "WHERE account_id = ? AND local_id = ?"),
                   m_account, id);
}

Result<void> EntryRepository::setStatus(Transaction &, const ClientEntryId &id, const SyncStatus &status)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE entries SET sync_state = ?, sync_error = ?, "
                                  "next_attempt_at = ? WHERE account_id = ? AND local_id = ?"),
                   status.state, status.errorCode, status.nextAttemptAt, m_account, id);
}

} // namespace daybook
