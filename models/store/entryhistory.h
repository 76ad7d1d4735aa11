#pragma once

#include "models/domain/account.h"
#include "models/domain/entry.h"
#include "models/domain/result.h"

#include <QList>

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

/// What an entry was before a change took it away.
struct PastEntry
{
    HistoryReason reason = HistoryReason::Edited;
    Instant replacedAt;
    std::optional<qint64> version; ///< the server's, where it had one then
    EntryFields fields;

    bool operator==(const PastEntry &) const = default;
};

/// The past of the entries of one account; never sent, kept longer than operations. **Thread:** that of its
/// connection.
class EntryHistory
{
public:
    EntryHistory(Connection &connection, AccountId account) : m_connection(connection), m_account(account) {}

    /// Keeps what \p entry shows now.
    Result<void> keep(Transaction &, const Entry &entry, HistoryReason reason, Instant now);
    Result<QList<PastEntry>> of(const ClientEntryId &id) const; ///< oldest first

private:
    Connection &m_connection;
    AccountId m_account;
};

} // namespace daybook
