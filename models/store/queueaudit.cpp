#include "models/store/queueaudit.h"

#include "models/domain/operation.h"
#include "models/domain/syncstate.h"
#include "models/store/payload.h"
#include "models/store/statement.h"
#include "sync/protocol/fingerprint.h"
#include "sync/protocol/messages.h"

#include <vector>

namespace daybook {

namespace {

/// What an operation asks for, read back from its payload.
struct Intent
{
    Operation operation;               ///< with the columns below only
    std::optional<EntryFields> fields; ///< empty for a delete, and where the payload cannot be read
};

/// An entry as its row has it, and its unfinished operations in the order of intents.
struct ShownEntry
{
    AccountId account;
    ClientEntryId id;
    bool localOnly = false;
    bool exists = false;
    bool deleted = false;
    qint64 thousandths = 0;
    RecordedAt recordedAt;
    QString category;
    QString note;
    SyncStatus sync;
    std::vector<Operation> unfinished;
    std::optional<EntryFields> lastFields; ///< what the last of them makes of the entry

    bool shows(const EntryFields &fields) const
    {
        return thousandths == fields.value.thousandths() && recordedAt == fields.recordedAt &&
               category == fields.category && note == fields.note;
    }
};

void addForOperation(AuditReport &report, int invariant, AccountId account, const OperationId &id,
                     const char *what)
{
    report.add(invariant, QStringLiteral("operation %1 of account %2: %3")
                              .arg(id.toString(), QString::number(account.key()), QLatin1StringView(what)));
}

void addForEntry(AuditReport &report, const ShownEntry &entry, const char *what)
{
    report.add(7,
               QStringLiteral("entry %1 of account %2: %3")
                   .arg(entry.id.toString(), QString::number(entry.account.key()), QLatin1StringView(what)));
}

// Columns 0 to 6 of both queries.
constexpr QLatin1StringView payloadColumns(
    "o.account_id, o.operation_id, o.local_entity_id, o.operation_type, o.payload_version, o.payload_json, "
    "o.payload_fingerprint");

Intent readIntent(const Statement &row, AuditReport &report)
{
    const AccountId account(row.number(0));
    Intent intent;
    Operation &operation = intent.operation;
    operation.id = row.id<OperationId>(1);
    operation.entryId = row.id<ClientEntryId>(2);
    operation.type = static_cast<OperationType>(row.number(3));
    operation.payloadVersion = static_cast<int>(row.number(4));
    operation.payload = row.bytes(5);
    operation.fingerprint = row.bytes(6);
    // Nobody here knows what another version means; it is kept as it is.
    if (!isKnownPayload(operation))
        return intent;

    if (operation.type != OperationType::DeleteEntry) {
        const bool creates = operation.type == OperationType::CreateEntry;
        const auto decoded =
            creates ? decodeCreateEntry(operation.payload) : decodeUpdateEntry(operation.payload);
        const auto *request = std::get_if<EntryRequest>(&decoded);
        if (request == nullptr) {
            addForOperation(report, 5, account, operation.id, "its payload cannot be read");
            return intent;
        }
        if (creates && request->clientEntryId != operation.entryId) {
            addForOperation(report, 4, account, operation.id, "its payload creates another entry");
            return intent;
        }
        intent.fields = request->fields;
    }
    const EntryFields *fields = intent.fields ? &*intent.fields : nullptr;
    if (fingerprint(operation.type, operation.entryId, fields) != operation.fingerprint)
        addForOperation(report, 5, account, operation.id, "its fingerprint is not that of its payload");
    return intent;
}

ShownEntry readShownEntry(const Statement &row, AccountId account, const ClientEntryId &id)
{
    ShownEntry entry;
    entry.account = account;
    entry.id = id;
    entry.localOnly = row.flag(11);
    entry.exists = !row.isNull(12);
    entry.thousandths = row.number(12);
    entry.recordedAt = {row.instant(13), std::chrono::minutes(row.number(14))};
    entry.category = row.text(15);
    entry.note = row.text(16);
    entry.deleted = row.flag(17);
    entry.sync = {static_cast<SyncState>(row.number(18)), row.text(19), row.maybeInstant(20)};
    return entry;
}

void checkShownEntry(const ShownEntry &entry, AuditReport &report)
{
    // A missing row and an entry shown as synced are found by the statements of audit().
    if (!entry.exists || entry.localOnly)
        return;
    const Operation &last = entry.unfinished.back();
    const bool deleted = last.type == OperationType::DeleteEntry;
    if (deleted != entry.deleted)
        addForEntry(report, entry, "deleted or not, against its last unfinished operation");
    else if (!deleted && entry.lastFields && !entry.shows(*entry.lastFields))
        addForEntry(report, entry, "what is shown is not what its last unfinished operation says");
    if (entry.sync.state != SyncState::Synced && entry.sync != deriveSyncStatus(entry.unfinished, false))
        addForEntry(report, entry, "its badge is not that of its unfinished operations");
}

/// Ordered as the index on unfinished operations is, so nothing has to be sorted.
Result<void> auditUnfinished(Connection &connection, AuditReport &report)
{
    Statement row(connection, QStringLiteral(R"(SELECT %1,
    o.state, o.wait_started_at, o.wait_length, o.last_error_code,
    a.server_origin = '', e.value, e.recorded_at, e.recorded_offset, e.category, e.note, e.deleted,
    e.sync_state, e.sync_error, e.next_attempt_at
FROM offline_operations o CROSS JOIN accounts a USING (account_id)
LEFT JOIN entries e ON e.account_id = o.account_id AND e.local_id = o.local_entity_id
WHERE o.state <= 5 ORDER BY o.account_id, o.local_entity_id, o.seq)")
                                  .arg(payloadColumns));
    std::optional<ShownEntry> entry;
    for (;;) {
        const auto more = row.next();
        if (!more)
            return more.error();
        if (!*more)
            break;
        Intent intent = readIntent(row, report);
        Operation &operation = intent.operation;
        operation.state = static_cast<OperationState>(row.number(7));
        operation.waitStartedAt = row.maybeInstant(8);
        operation.waitLength = Milliseconds(row.number(9));
        operation.lastErrorCode = row.text(10);

        const AccountId account(row.number(0));
        if (!entry || entry->account != account || entry->id != operation.entryId) {
            if (entry)
                checkShownEntry(*entry, report);
            entry = readShownEntry(row, account, operation.entryId);
        }
        entry->lastFields = std::move(intent.fields);
        entry->unfinished.push_back(std::move(operation));
    }
    if (entry)
        checkShownEntry(*entry, report);
    return {};
}

Result<void> auditFinished(Connection &connection, AuditReport &report)
{
    Statement row(
        connection,
        QStringLiteral("SELECT %1 FROM offline_operations o WHERE o.state > 5").arg(payloadColumns));
    for (;;) {
        const auto more = row.next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        readIntent(row, report);
    }
}

} // namespace

Result<void> auditOperations(Connection &connection, AuditReport &report)
{
    if (const auto done = auditUnfinished(connection, report); !done)
        return done;
    return auditFinished(connection, report);
}

} // namespace daybook
