#pragma once

#include "models/domain/account.h"
#include "models/domain/entry.h"
#include "models/domain/result.h"

namespace daybook {

class Connection;
class Statement;
class Transaction;

/// The entries of one account, one by one. **Thread:** that of its connection.
class EntryRepository
{
public:
    EntryRepository(Connection &connection, AccountId account) : m_connection(connection), m_account(account)
    {
    }

    /// Nothing where there is no such entry; also one that is shown as deleted.
    Result<std::optional<Entry>> find(const ClientEntryId &id) const;

    Result<void> insert(Transaction &, const Entry &entry);
    Result<void> remove(Transaction &, const ClientEntryId &id);
    /// Changes what the person sees.
    Result<void> show(Transaction &, const ClientEntryId &id, const EntryFields &fields, bool deleted);
    /// Takes what the server has, if it is newer than what is known.
    Result<void> takeServerState(Transaction &, const ClientEntryId &id, const ServerState &server);
    /// The server has no such entry, whatever it had before.
    Result<void> forgetServerState(Transaction &, const ClientEntryId &id);
    Result<void> setStatus(Transaction &, const ClientEntryId &id, const SyncStatus &status);

private:
    Connection &m_connection;
    AccountId m_account;
};

/// The columns readEntry() reads, in its order.
QString entryColumns();
Result<Entry> readEntry(const Statement &row);

} // namespace daybook
