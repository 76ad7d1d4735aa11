#include "models/store/entryhistory.h"

#include "models/store/statement.h"

namespace daybook {

Result<void> EntryHistory::keep(Transaction &, const Entry &entry, HistoryReason reason, Instant now)
{
    const std::optional<qint64> version = entry.server ? std::optional(entry.server->version) : std::nullopt;
    return execute(
        m_connection,
        QStringLiteral("INSERT INTO entry_history (account_id, local_id, reason, replaced_at, version, "
                       "value, recorded_at, recorded_offset, category, note) "
                       "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
        m_account, entry.id, reason, now, version, entry.fields.value, entry.fields.recordedAt.instant,
        entry.fields.recordedAt.utcOffset, entry.fields.category, entry.fields.note);
}

} // namespace daybook
