#pragma once

#include "sync/server/entrylog.h"
#include "sync/server/entryoperation.h"

namespace daybook {

/// What an operation came to: the reply, and the entry it is about.
struct Decision
{
    ServerReply reply;
    QString entryId; ///< empty where there is no entry
    qint64 version = 0;
};

// One handler per request; each decides and writes within the transaction of \p log.

/// Executes the operation. One that turns out to be the entry's last writer already is confirmed instead: a
/// late repeat, whose record is gone, changes nothing. Empty: the last writer was another request with this
/// id.
std::optional<Decision> executeOperation(EntryLog &log, const EntryOperation &operation, Instant now);
/// Success without doing anything: the reply to the operation that last wrote \p entry.
Decision confirmOperation(const StoredEntry &entry);
/// The refusal of an operation that could not be done, by what the entry is now.
Decision refuseOperation(OperationType type, const std::optional<StoredEntry> &entry);

ServerReply readEntry(const EntryLog &log, const ClientEntryId &id);

} // namespace daybook
