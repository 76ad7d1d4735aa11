#pragma once

#include "models/domain/entry.h"
#include "models/domain/operation.h"

#include <QByteArray>

namespace daybook {

/// The version tag inside every fingerprint; also stored beside it. A change of canonicalForm() is a new one.
constexpr int fingerprintVersion = 1;

/// What a request means, as it would be stored, independent of its spelling: 1.50 and 1.5e0, +02:00 and Z,
/// `null` and absent are the same; UTC offset, If-Match, dates and user agent are not in it. One after the
/// other, integers big-endian:
///
///     19 bytes  "daybook-fingerprint"
///      1 byte   fingerprintVersion
///      1 byte   operation type: 1 create, 2 update, 3 delete (which ends after the id)
///     16 bytes  clientEntryId, in RFC 9562 order
///      8 bytes  value in thousandths, signed
///      8 bytes  recordedAt in milliseconds since 1970-01-01T00:00:00Z, signed
///      4 bytes  length of category in bytes, then category in UTF-8 (not normalised)
///      4 bytes  length of note in bytes, then note in UTF-8 (not normalised)
///
/// No two different requests have the same form, since every part has a fixed width or its length before it.
/// \p fields must be null for a delete and non-null otherwise.
QByteArray canonicalForm(OperationType type, const ClientEntryId &entryId, const EntryFields *fields);

/// SHA-256 (32 bytes) of canonicalForm(). The client keeps it with the operation, the server with the
/// idempotency record.
QByteArray fingerprint(OperationType type, const ClientEntryId &entryId, const EntryFields *fields);

} // namespace daybook
