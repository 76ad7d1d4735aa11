#pragma once

#include "models/store/accounttables.h"
#include "models/store/syncjournal.h"

#include <QSet>

namespace daybook {

/// Who is sending which operation: gives leases, takes back those that ran out, and ends attempts.
/// **Thread:** that of the tables.
class Leasing
{
public:
    /// \p owner stands in the leases it gives.
    Leasing(AccountTables &tables, const QString &owner) : m_tables(tables), m_owner(owner) {}

    /// Up to \p limit leases, none where the account is signed out or told to wait.
    Result<Leased> take(Transaction &transaction, int limit, AttemptTrigger trigger);
    /// The leased operation, as long as the lease holds; nothing once somebody else took it over or it was
    /// reconciled.
    Result<std::optional<Operation>> held(const Lease &lease) const;
    /// Ends the attempt of an operation that is being sent; \p wait counts for retry_waiting only.
    Result<void> end(Transaction &transaction, const Operation &operation, const AttemptEnd &end,
                     OperationState state, Milliseconds wait = {});
    /// Gives back all leases of this owner, their attempts aborted.
    Result<ChangedEntries> release(Transaction &transaction);
    /// Makes up to \p limit waiting operations ready.
    Result<ChangedEntries> endWaits(Transaction &transaction, int limit);

private:
    Result<bool> isPaused(Instant now) const;
    Result<QSet<ClientEntryId>> recoverExpired(Transaction &transaction, Instant now);
    Result<Lease> takeOne(Transaction &transaction, const Operation &operation, AttemptTrigger trigger,
                          Instant now);
    Result<void> move(Transaction &transaction, const Operation &from, const Operation &to);

    AccountTables &m_tables;
    QString m_owner;
};

} // namespace daybook
