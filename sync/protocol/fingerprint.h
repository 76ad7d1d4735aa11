#pragma once

#include "models/domain/entry.h"
#include "models/domain/operation.h"

#include <QByteArray>

namespace daybook {

/// The version tag inside every fingerprint; also stored beside it.
constexpr int fingerprintVersion = 1;

/// What a request means, as it would be stored, independent of its spelling: 1.50 and 1.5e0, +02:00 and Z,
/// `null` and absent are the same; UTC offset, If-Match, dates and user agent are not in it. Unambiguous:
/// every field carries its length. \p fields must be null for a delete and non-null otherwise.
QByteArray canonicalForm(OperationType type, const ClientEntryId &entryId, const EntryFields *fields);

/// SHA-256 (32 bytes) of canonicalForm(). The client keeps it with the operation, the server with the
/// idempotency record.
QByteArray fingerprint(OperationType type, const ClientEntryId &entryId, const EntryFields *fields);

} // namespace daybook
