#pragma once

#include "sync/protocol/messages.h"
#include "sync/server/request.h"

namespace daybook {

/// A request that writes an entry, read and in canonical form, before anything has been looked up.
struct EntryOperation
{
    QByteArray id; ///< the idempotency key without quotes
    OperationType type = OperationType::CreateEntry;
    ClientEntryId entryId;
    EntryFields fields;                  ///< meaningless in a delete
    QByteArray fingerprint;              ///< what the request means
    Decoded<qint64> expectedVersion = 0; ///< If-Match, or what is wrong with it; not looked at in a create
};

/// Reads the request of that type; \p pathId is the id in the path, null in a create. A problem (400, 415,
/// 422) means that the key is not used up.
Decoded<EntryOperation> readEntryOperation(OperationType type, const ClientEntryId &pathId,
                                           const ServerRequest &request);

/// The operation id of the request: one line, bare or as a quoted string (RFC 8941).
Decoded<QByteArray> readIdempotencyKey(const ServerRequest &request);
/// Empty: the body is declared to be JSON in UTF-8.
std::optional<Problem> checkJsonContent(const ServerRequest &request);

} // namespace daybook
