#pragma once

#include "models/domain/account.h"
#include "models/domain/entrysource.h"

namespace daybook {

class Connection;

/// The list of one account's entries, newest first, page by page. The filters NeedsAttention and Conflicts
/// also show entries that are to be deleted: a refused or contested deletion needs the person too.
/// **Thread:** that of its connection.
class EntryList final : public EntrySource
{
public:
    EntryList(Connection &connection, AccountId account) : m_connection(connection), m_account(account) {}

    Result<QList<Entry>> entriesAfter(const EntryFilter &filter, const std::optional<EntryKey> &after,
                                      int limit) const override;
    Result<QList<Entry>> entriesFrom(const EntryFilter &filter, qint64 offset, int limit) const override;
    Result<QList<Entry>> entriesById(const EntryFilter &filter,
                                     const QList<ClientEntryId> &ids) const override;
    Result<qint64> entryCount(const EntryFilter &filter) const override;
    Result<qint64> entriesBefore(const EntryFilter &filter, const EntryKey &key) const override;

    /// Those in use, the one of the newest entry first. Costs a few steps a category, not an entry.
    Result<QStringList> categories(int limit) const;

private:
    Connection &m_connection;
    AccountId m_account;
};

} // namespace daybook
