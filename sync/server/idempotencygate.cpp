#include "sync/server/idempotencygate.h"

#include "models/domain/crashpoint.h"
#include "sync/protocol/endpoints.h"
#include "sync/protocol/fingerprint.h"
#include "sync/server/reply.h"

namespace daybook {
namespace {

/// The headers a replay repeats, a line each.
QByteArray storedHeaders(const ServerReply &reply)
{
    QByteArray lines;
    if (!reply.contentType.isEmpty())
        lines += "Content-Type: " + reply.contentType + '\n';
    for (const auto &[name, value] : reply.headers) {
        if (name == "Location" || name == "ETag")
            lines += name + ": " + value + '\n';
    }
    return lines;
}

ServerReply storedReply(int status, const QByteArray &headers, const QByteArray &body)
{
    ServerReply reply{status, {}, {}, body};
    for (const QByteArray &line : headers.split('\n')) {
        const qsizetype colon = line.indexOf(": ");
        if (colon < 0)
            continue;
        const QByteArray name = line.left(colon);
        const QByteArray value = line.mid(colon + 2);
        if (name == "Content-Type")
            reply.contentType = value;
        else
            reply.headers.emplaceBack(name, value);
    }
    return reply;
}

ServerReply marked(ServerReply reply, bool replayed)
{
    reply.headers.emplaceBack(header::idempotentReplayed, replayed ? "true" : "false");
    return reply;
}

ServerReply marked(ServerReply reply, bool replayed, Instant expiresAt)
{
    reply.headers.emplaceBack(header::idempotencyExpires, httpDate(expiresAt));
    return marked(std::move(reply), replayed);
}

Problem keyReused()
{
    return {ProblemCode::IdempotencyKeyReused,
            QStringLiteral("This Idempotency-Key was used for another request.")};
}

/// The business fields in which the request differs from what the stored response tells.
QStringList differingFields(const EntryFields &asked, const QByteArray &storedBody)
{
    const std::optional<EntryResource> stored = decodeEntry(storedBody);
    QStringList names;
    if (!stored)
        return names;
    if (asked.value != stored->fields.value)
        names.append(QStringLiteral("value"));
    if (asked.recordedAt.instant != stored->fields.recordedAt.instant)
        names.append(QStringLiteral("recordedAt"));
    if (asked.category != stored->fields.category)
        names.append(QStringLiteral("category"));
    if (asked.note != stored->fields.note)
        names.append(QStringLiteral("note"));
    return names;
}

} // namespace

IdempotencyGate::IdempotencyGate(Transaction &transaction, qint64 actorId, Instant now, Retention retention)
    : m_transaction(transaction),
      m_actorId(actorId),
      m_now(now),
      m_retention(retention)
{
}

ServerReply IdempotencyGate::execute(const EntryOperation &operation)
{
    // A replay comes before the precondition: whoever repeats a success must not be told off for If-Match.
    if (const auto *refused = std::get_if<Problem>(&operation.expectedVersion)) {
        const std::optional<Record> record = find(operation.id);
        return record ? repeat(operation, *record) : problemReply(*refused);
    }
    if (!claim(operation)) {
        const std::optional<Record> record = find(operation.id);
        return record ? repeat(operation, *record) : ServerReply{}; // none: the transaction is spoiled
    }
    crashPoint(CrashPoint::ServerClaimed);
    EntryLog log(m_transaction, m_actorId);
    const std::optional<Decision> decision = executeOperation(log, operation, m_now);
    if (!decision) {
        forget(operation.id); // a reused key keeps the meaning it had
        return problemReply(keyReused());
    }
    complete(operation, *decision);
    crashPoint(CrashPoint::ServerBeforeCommit);
    return marked(decision->reply, false, m_now + m_retention.response);
}

ServerReply IdempotencyGate::receipt(const QByteArray &operationId)
{
    const std::optional<Record> record = find(operationId);
    if (!record)
        return problemReply(
            {ProblemCode::OperationUnknown, QStringLiteral("This account has done no such operation.")});
    return jsonReply(200, encodeReceipt({record->response.status, record->type, record->entryId,
                                         record->version, record->completedAt, record->responseExpiresAt}));
}

bool IdempotencyGate::claim(const EntryOperation &operation)
{
    return m_transaction
        .execute("INSERT INTO idempotency_records (actor_id, operation_id, operation_type, fingerprint,"
                 " fingerprint_version, status, client_entry_id, created_at, response_expires_at,"
                 " tombstone_expires_at) VALUES (?, ?, ?, ?, ?, 'processing', ?, ?, ?, ?)"
                 " ON CONFLICT DO NOTHING",
                 {m_actorId, QString::fromLatin1(operation.id), int(operation.type), operation.fingerprint,
                  fingerprintVersion, operation.entryId.toString(), toEpochMilliseconds(m_now),
                  toEpochMilliseconds(m_now + m_retention.response),
                  toEpochMilliseconds(m_now + m_retention.tombstone)})
        .changedSomething();
}

std::optional<IdempotencyGate::Record> IdempotencyGate::find(const QByteArray &operationId)
{
    Rows rows = m_transaction.execute(
        "SELECT operation_type, fingerprint, client_entry_id, response_status, response_headers,"
        " response_body, resource_version, completed_at, response_expires_at FROM idempotency_records"
        " WHERE actor_id = ? AND operation_id = ?",
        {m_actorId, QString::fromLatin1(operationId)});
    if (!rows.next())
        return std::nullopt;
    return Record{.type = static_cast<OperationType>(rows.integer(0)),
                  .fingerprint = rows.bytes(1),
                  .entryId = rows.known(ClientEntryId::fromString(rows.text(2))),
                  .response = storedReply(static_cast<int>(rows.integer(3)), rows.bytes(4), rows.bytes(5)),
                  .version = rows.integer(6),
                  .completedAt = fromEpochMilliseconds(rows.integer(7)),
                  .responseExpiresAt = fromEpochMilliseconds(rows.integer(8))};
}

void IdempotencyGate::forget(const QByteArray &operationId)
{
    m_transaction.execute("DELETE FROM idempotency_records WHERE actor_id = ? AND operation_id = ?",
                          {m_actorId, QString::fromLatin1(operationId)});
}

void IdempotencyGate::complete(const EntryOperation &operation, const Decision &decision)
{
    m_transaction.execute(
        "UPDATE idempotency_records SET status = 'completed', response_status = ?, response_headers = ?,"
        " response_body = ?, resource_id = ?, resource_version = ?, completed_at = ?"
        " WHERE actor_id = ? AND operation_id = ?",
        {decision.reply.status, storedHeaders(decision.reply), decision.reply.body, decision.entryId,
         decision.version, toEpochMilliseconds(m_now), m_actorId, QString::fromLatin1(operation.id)});
}

ServerReply IdempotencyGate::repeat(const EntryOperation &operation, const Record &record)
{
    if (operation.fingerprint != record.fingerprint) {
        Problem problem = keyReused();
        if (operation.type == record.type && operation.entryId == record.entryId)
            problem.differingFields = differingFields(operation.fields, record.response.body);
        return problemReply(problem);
    }
    if (m_now >= record.responseExpiresAt)
        return marked(answerLate(operation, record), true);
    return marked(record.response, true, record.responseExpiresAt);
}

/// After the response has expired: what was done is confirmed by the entry it last wrote, what was refused is
/// refused by what the entry is now; nothing is executed again.
ServerReply IdempotencyGate::answerLate(const EntryOperation &operation, const Record &record)
{
    const std::optional<StoredEntry> entry = EntryLog(m_transaction, m_actorId).find(operation.entryId);
    if (record.response.status >= 400)
        return refuseOperation(operation.type, entry).reply;
    if (entry && entry->lastOperationId == operation.id)
        return confirmOperation(*entry).reply;
    return problemReply({ProblemCode::OperationResultExpired,
                         QStringLiteral("The operation was done; its response is not kept any more.")});
}

} // namespace daybook
