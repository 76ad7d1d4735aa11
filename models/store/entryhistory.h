#pragma once

#include "models/domain/account.h"
#include "models/domain/entry.h"
#include "models/domain/result.h"

namespace daybook {

class Connection;
class Transaction;

/// Why values went out of sight. The numbers are stored: never renumber.
enum class HistoryReason {
    Edited = 0,
    Deleted = 1,
    Merged = 2,          ///< a three-way merge put the server's values in
    ChangedRemotely = 3, ///< another device wrote it
    Discarded = 4,       ///< the person gave the change up
};

/// The past of the entries of one account; never sent, kept longer than operations. **Thread:** that of its
/// connection.
class EntryHistory
{
public:
    EntryHistory(Connection &connection, AccountId account) : m_connection(connection), m_account(account) {}

    /// Keeps what \p entry shows now.
    Result<void> keep(Transaction &, const Entry &entry, HistoryReason reason, Instant now);

private:
    Connection &m_connection;
    AccountId m_account;
};

} // namespace daybook
