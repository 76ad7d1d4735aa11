#pragma once

#include "sync/protocol/messages.h"
#include "sync/server/transaction.h"

namespace daybook {

/// An entry as the server keeps it. A tombstone has a version like any state, and empty fields.
struct StoredEntry
{
    EntryResource resource;
    bool deleted = false;
    QByteArray lastOperationId; ///< whose write this state is
};

/// The entries of one account. Each write takes the account's next change number, so that reading by change
/// number misses nothing.
class EntryLog
{
public:
    EntryLog(Transaction &transaction, qint64 actorId) : m_transaction(transaction), m_actorId(actorId) {}

    std::optional<StoredEntry> find(const ClientEntryId &id) const;
    /// Makes the entry, or replaces its state.
    void write(const StoredEntry &entry);

private:
    Transaction &m_transaction;
    qint64 m_actorId;
};

/// `current` in a problem.
CurrentEntry currentEntry(const StoredEntry &entry);

} // namespace daybook
