#include "models/store/payload.h"

#include "models/store/storeerror.h"
#include "sync/protocol/fingerprint.h"
#include "sync/protocol/messages.h"

namespace daybook {

namespace {

Result<EntryFields> fieldsOf(const Decoded<EntryRequest> &decoded)
{
    if (const auto *request = std::get_if<EntryRequest>(&decoded))
        return request->fields;
    return damagedRow(std::get<Problem>(decoded).detail);
}

QByteArray encodePayload(OperationType type, const ClientEntryId &entryId, const EntryFields *fields)
{
    switch (type) {
    case OperationType::CreateEntry: return encodeCreateEntry(entryId, *fields);
    case OperationType::UpdateEntry: return encodeUpdateEntry(*fields);
    case OperationType::DeleteEntry: break;
    }
    return {};
}

} // namespace

Operation makeOperation(OperationType type, const ClientEntryId &entryId, const EntryFields *fields,
                        const std::optional<qint64> &baseVersion, const std::optional<EntryFields> &base,
                        Random &random, Instant now)
{
    Operation operation;
    operation.id = OperationId::random(random);
    operation.type = type;
    operation.entryId = entryId;
    operation.payloadVersion = currentPayloadVersion;
    operation.payload = encodePayload(type, entryId, fields);
    operation.fingerprint = fingerprint(type, entryId, fields);
    operation.baseVersion = baseVersion;
    operation.base = base;
    operation.createdAt = now;
    return operation;
}

bool isKnownPayload(const Operation &operation) { return operation.payloadVersion == currentPayloadVersion; }

bool isReadable(const Operation &operation)
{
    return isKnownPayload(operation) && (operation.type == OperationType::CreateEntry || operation.base) &&
           (operation.type == OperationType::DeleteEntry || payloadFields(operation));
}

Result<EntryFields> payloadFields(const Operation &operation)
{
    return fieldsOf(operation.type == OperationType::CreateEntry ? decodeCreateEntry(operation.payload)
                                                                 : decodeUpdateEntry(operation.payload));
}

QByteArray encodeBase(const EntryFields &base) { return encodeUpdateEntry(base); }

Result<EntryFields> decodeBase(const QByteArray &json) { return fieldsOf(decodeUpdateEntry(json)); }

} // namespace daybook
