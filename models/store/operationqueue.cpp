#include "models/store/operationqueue.h"

#include "models/store/payload.h"
#include "models/store/statement.h"
#include "models/store/syncjournal.h"

namespace daybook {

namespace {

// Partial indexes are used only where their condition stands literally in the statement; the numbers are
// those of OperationState: up to 5 unfinished, 0 pending, 1 sending, 2 retry_waiting.

constexpr QLatin1StringView columns(
    "seq, operation_id, operation_type, local_entity_id, payload_version, payload_json, payload_fingerprint, "
    "base_version, base_json, state, attempt_count, first_attempt_at, wait_started_at, wait_length, "
    "lease_owner, lease_expires_at, last_error_code, last_error_detail, superseded_by, created_at, "
    "completed_at");

Result<Operation> readOperation(const Statement &row)
{
    Operation operation;
    operation.sequence = row.number(0);
    operation.id = row.id<OperationId>(1);
    operation.type = static_cast<OperationType>(row.number(2));
    operation.entryId = row.id<ClientEntryId>(3);
    operation.payloadVersion = static_cast<int>(row.number(4));
    operation.payload = row.bytes(5);
    operation.fingerprint = row.bytes(6);
    operation.baseVersion = row.maybeNumber(7);
    if (!row.isNull(8) && isKnownPayload(operation))
        if (const auto base = decodeBase(row.bytes(8))) // else isReadable() says so
            operation.base = *base;
    operation.state = static_cast<OperationState>(row.number(9));
    operation.attemptCount = static_cast<int>(row.number(10));
    operation.firstAttemptAt = row.maybeInstant(11);
    operation.waitStartedAt = row.maybeInstant(12);
    operation.waitLength = Milliseconds(row.number(13));
    operation.leaseOwner = row.text(14);
    operation.leaseExpiresAt = row.maybeInstant(15);
    operation.lastErrorCode = row.text(16);
    operation.lastErrorDetail = row.text(17);
    if (!row.isNull(18))
        operation.supersededBy = row.id<OperationId>(18);
    operation.createdAt = row.instant(19);
    operation.completedAt = row.maybeInstant(20);
    return operation;
}

QString select(QLatin1StringView condition)
{
    return QStringLiteral("SELECT %1 FROM offline_operations WHERE account_id = ? AND %2")
        .arg(columns, condition);
}

/// The states from which the table allows \p to, for a condition.
QString statesBefore(OperationState to)
{
    QStringList numbers;
    for (const OperationState from : allOperationStates)
        if (isUnfinished(from) && mayBecome(from, to))
            numbers.append(QString::number(static_cast<int>(from)));
    return numbers.join(QLatin1String(", "));
}

std::optional<QString> orNothing(const QString &text)
{
    return text.isEmpty() ? std::nullopt : std::optional(text);
}

std::optional<OperationId> orNothing(const OperationId &id)
{
    return id.isNull() ? std::nullopt : std::optional(id);
}

} // namespace

Operation ended(Operation operation, OperationState state)
{
    operation.state = state;
    operation.leaseOwner.clear();
    operation.leaseExpiresAt.reset();
    operation.waitStartedAt.reset();
    operation.waitLength = {};
    return operation;
}

Result<std::optional<Operation>> OperationQueue::find(const OperationId &id) const
{
    return selectFirst(m_connection, select(QLatin1StringView("operation_id = ?")), readOperation, m_account,
                       id);
}

Result<QList<Operation>> OperationQueue::ofEntry(const ClientEntryId &id) const
{
    const QString both = select(QLatin1StringView("local_entity_id = ? AND state <= 5")) +
                         QLatin1String(" UNION ALL ") +
                         select(QLatin1StringView("local_entity_id = ? AND state > 5 ORDER BY seq"));
    return selectAll(m_connection, both, readOperation, m_account, id, m_account, id);
}

Result<std::optional<Operation>> OperationQueue::head(const ClientEntryId &id) const
{
    return selectFirst(m_connection,
                       select(QLatin1StringView("local_entity_id = ? AND state <= 5 ORDER BY seq LIMIT 1")),
                       readOperation, m_account, id);
}

Result<std::optional<Operation>> OperationQueue::last(const ClientEntryId &id) const
{
    return selectFirst(
        m_connection,
        select(QLatin1StringView("local_entity_id = ? AND state <= 5 ORDER BY seq DESC LIMIT 1")),
        readOperation, m_account, id);
}

Result<void> OperationQueue::append(Transaction &, const Operation &operation)
{
    const std::optional<QByteArray> base =
        operation.base ? std::optional(encodeBase(*operation.base)) : std::nullopt;
    return execute(
        m_connection,
        QStringLiteral("INSERT INTO offline_operations (operation_id, account_id, local_entity_id, "
                       "operation_type, payload_version, payload_json, payload_fingerprint, base_version, "
                       "base_json, state, created_at, is_head) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                       "NOT EXISTS (SELECT 1 FROM offline_operations "
                       "WHERE account_id = ? AND local_entity_id = ? AND state <= 5))"),
        operation.id, m_account, operation.entryId, operation.type, operation.payloadVersion,
        operation.payload, operation.fingerprint, operation.baseVersion, base, operation.state,
        operation.createdAt, m_account, operation.entryId);
}

Result<bool> OperationQueue::transition(Transaction &, const Operation &from, const Operation &to)
{
    Q_ASSERT(from.id == to.id && mayBecome(from.state, to.state));
    const auto moved = change(
        m_connection,
        QStringLiteral("UPDATE offline_operations SET state = ?, attempt_count = ?, "
                       "first_attempt_at = ?, wait_started_at = ?, wait_length = ?, lease_owner = ?, "
                       "lease_expires_at = ?, last_error_code = ?, last_error_detail = ?, "
                       "superseded_by = ?, completed_at = ? "
                       "WHERE operation_id = ? AND account_id = ? AND state = ? "
                       "AND attempt_count = ? AND lease_owner IS ?"),
        to.state, to.attemptCount, to.firstAttemptAt, to.waitStartedAt, to.waitLength,
        orNothing(to.leaseOwner), to.leaseExpiresAt, to.lastErrorCode, to.lastErrorDetail, to.supersededBy,
        to.completedAt, from.id, m_account, from.state, from.attemptCount, orNothing(from.leaseOwner));
    return moved ? Result<bool>(*moved == 1) : Result<bool>(moved.error());
}

Result<void> OperationQueue::supersedeAll(Transaction &, const ClientEntryId &id,
                                          const OperationId &successor, Instant now)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE offline_operations SET state = ?, superseded_by = ?, "
                                  "completed_at = ?, wait_started_at = NULL, wait_length = 0 "
                                  "WHERE account_id = ? AND local_entity_id = ? AND state <= 5 "
                                  "AND state IN (%1)")
                       .arg(statesBefore(OperationState::Superseded)),
                   OperationState::Superseded, orNothing(successor), now, m_account, id);
}

Result<bool> OperationQueue::supersedeUnsent(Transaction &, const OperationId &id,
                                             const OperationId &successor, Instant now)
{
    const auto superseded =
        change(m_connection,
               QStringLiteral("UPDATE offline_operations SET state = ?, superseded_by = ?, completed_at = ? "
                              "WHERE operation_id = ? AND account_id = ? AND state = ? "
                              "AND first_attempt_at IS NULL"),
               OperationState::Superseded, orNothing(successor), now, id, m_account, OperationState::Pending);
    return superseded ? Result<bool>(*superseded == 1) : Result<bool>(superseded.error());
}

Result<void> OperationQueue::discardAll(Transaction &, const ClientEntryId &id, Instant now)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE offline_operations SET state = ?, completed_at = ?, "
                                  "wait_started_at = NULL, wait_length = 0 "
                                  "WHERE account_id = ? AND local_entity_id = ? AND state <= 5 "
                                  "AND state IN (%1)")
                       .arg(statesBefore(OperationState::Discarded)),
                   OperationState::Discarded, now, m_account, id);
}

Result<void> OperationQueue::promoteHead(Transaction &, const ClientEntryId &id)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE offline_operations SET is_head = 1 WHERE is_head = 0 AND seq = "
                                  "(SELECT min(seq) FROM offline_operations "
                                  "WHERE account_id = ? AND local_entity_id = ? AND state <= 5)"),
                   m_account, id);
}

Result<void> OperationQueue::setBaseVersion(Transaction &, const ClientEntryId &id, qint64 version)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE offline_operations SET base_version = ? WHERE seq = "
                                  "(SELECT min(seq) FROM offline_operations "
                                  "WHERE account_id = ? AND local_entity_id = ? AND state <= 5) "
                                  "AND base_version IS NULL AND operation_type <> ?"),
                   version, m_account, id, OperationType::CreateEntry);
}

Result<QList<Operation>> OperationQueue::ready(Instant now, int limit) const
{
    // Each branch is a short walk along an index of its own; only what they found is brought into order.
    const QString sql =
        QStringLiteral("SELECT %1 FROM offline_operations WHERE seq IN ("
                       "SELECT * FROM (SELECT seq FROM offline_operations "
                       "WHERE account_id = ? AND state = 0 AND is_head = 1 ORDER BY seq LIMIT ?) "
                       "UNION ALL SELECT * FROM (SELECT seq FROM offline_operations "
                       "WHERE account_id = ? AND state = 2 AND wait_started_at + wait_length <= ? "
                       "ORDER BY wait_started_at + wait_length LIMIT ?) "
                       "UNION ALL SELECT * FROM (SELECT seq FROM offline_operations "
                       "WHERE account_id = ? AND state = 2 AND wait_started_at > ? LIMIT ?)) "
                       "ORDER BY seq LIMIT ?")
            .arg(columns);
    return selectAll(m_connection, sql, readOperation, m_account, limit, m_account, now, limit, m_account,
                     now, limit, limit);
}

Result<QList<Operation>> OperationQueue::withExpiredLease(Instant now) const
{
    return selectAll(
        m_connection,
        select(QLatin1StringView("state = 1 AND (lease_expires_at <= ? OR lease_expires_at > ?)")),
        readOperation, m_account, now, now + leaseLength);
}

Result<QList<Operation>> OperationQueue::leasedBy(const QString &owner) const
{
    return selectAll(m_connection, select(QLatin1StringView("state = 1 AND lease_owner = ?")), readOperation,
                     m_account, owner);
}

Result<QList<Operation>> OperationQueue::waiting(int limit) const
{
    return selectAll(m_connection, select(QLatin1StringView("state = 2 LIMIT ?")), readOperation, m_account,
                     limit);
}

} // namespace daybook
