#pragma once

#include "models/domain/operation.h"
#include "models/domain/random.h"
#include "models/domain/result.h"

namespace daybook {

/// A new operation with its id, request body and fingerprint, as it is queued. \p fields is null for a
/// delete; \p base stays empty for a create.
Operation makeOperation(OperationType type, const ClientEntryId &entryId, const EntryFields *fields,
                        const std::optional<qint64> &baseVersion, const std::optional<EntryFields> &base,
                        Random &random, Instant now);

/// Whether this program can read and send the payload. If not, it was queued by a newer one.
bool isKnownPayload(const Operation &operation);

/// Whether all of it can be read back. If not, sending it could end in nothing that can be reconciled.
bool isReadable(const Operation &operation);

/// The values a create or an update sends.
Result<EntryFields> payloadFields(const Operation &operation);

// The values an editor started from, as a column.
QByteArray encodeBase(const EntryFields &base);
Result<EntryFields> decodeBase(const QByteArray &json);

} // namespace daybook
