#include "models/store/entryhistory.h"

#include "models/store/statement.h"
#include "models/store/storeerror.h"

namespace daybook {

namespace {

Result<PastEntry> readPastEntry(const Statement &row)
{
    const auto value = DecimalValue::fromThousandths(row.number(3));
    if (!value)
        return damagedRow(value.error().detail);
    return PastEntry{
        static_cast<HistoryReason>(row.number(0)),
        row.instant(1),
        row.maybeNumber(2),
        {*value, {row.instant(4), std::chrono::minutes(row.number(5))}, row.text(6), row.text(7)}};
}

} // namespace

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

Result<QList<PastEntry>> EntryHistory::of(const ClientEntryId &id) const
{
    return selectAll(m_connection,
                     QStringLiteral("SELECT reason, replaced_at, version, value, recorded_at, "
                                    "recorded_offset, category, note FROM entry_history "
                                    "WHERE account_id = ? AND local_id = ? ORDER BY history_id"),
                     readPastEntry, m_account, id);
}

} // namespace daybook
