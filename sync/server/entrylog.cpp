#include "sync/server/entrylog.h"

namespace daybook {

std::optional<StoredEntry> EntryLog::find(const ClientEntryId &id) const
{
    Rows rows = m_transaction.execute(
        "SELECT entry_id, version, deleted, value, recorded_at, recorded_offset, category, note, created_at,"
        " updated_at, last_operation_id FROM entries WHERE actor_id = ? AND client_entry_id = ?",
        {m_actorId, id.toString()});
    if (!rows.next())
        return std::nullopt;
    return StoredEntry{
        .resource = {.entryId = rows.text(0),
                     .clientEntryId = id,
                     .version = rows.integer(1),
                     .fields = {.value = rows.known(DecimalValue::fromThousandths(rows.integer(3))),
                                .recordedAt = {fromEpochMilliseconds(rows.integer(4)),
                                               std::chrono::minutes(rows.integer(5))},
                                .category = rows.text(6),
                                .note = rows.text(7)},
                     .createdAt = fromEpochMilliseconds(rows.integer(8)),
                     .updatedAt = fromEpochMilliseconds(rows.integer(9))},
        .deleted = rows.flag(2),
        .lastOperationId = rows.text(10).toLatin1()};
}

void EntryLog::write(const StoredEntry &entry)
{
    qint64 changeNumber = 0;
    {
        Rows rows = m_transaction.execute(
            "UPDATE accounts SET last_change = last_change + 1 WHERE actor_id = ? RETURNING last_change",
            {m_actorId});
        if (rows.next())
            changeNumber = rows.integer(0);
    }
    const EntryResource &resource = entry.resource;
    m_transaction.execute(
        "INSERT INTO entries (actor_id, client_entry_id, entry_id, version, deleted, value, recorded_at,"
        " recorded_offset, category, note, created_at, updated_at, change_number, last_operation_id)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (actor_id, client_entry_id) DO UPDATE SET version = excluded.version,"
        " deleted = excluded.deleted, value = excluded.value, recorded_at = excluded.recorded_at,"
        " recorded_offset = excluded.recorded_offset, category = excluded.category, note = excluded.note,"
        " updated_at = excluded.updated_at, change_number = excluded.change_number,"
        " last_operation_id = excluded.last_operation_id",
        {m_actorId, resource.clientEntryId.toString(), resource.entryId, resource.version, entry.deleted,
         resource.fields.value.thousandths(), toEpochMilliseconds(resource.fields.recordedAt.instant),
         qint64(resource.fields.recordedAt.utcOffset.count()), resource.fields.category, resource.fields.note,
         toEpochMilliseconds(resource.createdAt), toEpochMilliseconds(resource.updatedAt), changeNumber,
         QString::fromLatin1(entry.lastOperationId)});
}

CurrentEntry currentEntry(const StoredEntry &entry)
{
    const EntryResource &resource = entry.resource;
    return {resource.entryId, resource.clientEntryId, resource.version, entry.deleted, resource.fields};
}

} // namespace daybook
