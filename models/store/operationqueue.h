#pragma once

#include "models/domain/account.h"
#include "models/domain/operation.h"
#include "models/domain/result.h"

#include <QList>

namespace daybook {

class Connection;
class Transaction;

/// \p operation in another state, without the lease and the wait that belong to the one it leaves.
Operation ended(Operation operation, OperationState state);

/// The operations of one account. Which state may follow which is decided by mayBecome() alone.
/// **Thread:** that of its connection.
class OperationQueue
{
public:
    OperationQueue(Connection &connection, AccountId account) : m_connection(connection), m_account(account)
    {
    }

    Result<std::optional<Operation>> find(const OperationId &id) const;
    Result<QList<Operation>> ofEntry(const ClientEntryId &id) const; ///< all, in the order of intents
    /// The first and the last unfinished operation of an entry.
    Result<std::optional<Operation>> head(const ClientEntryId &id) const;
    Result<std::optional<Operation>> last(const ClientEntryId &id) const;

    /// Puts it behind all others; the sequence is given here.
    Result<void> append(Transaction &, const Operation &operation);

    /// Writes what may change of an operation (state, attempts, wait, lease, error, end), provided it still
    /// stands where \p from says: state, attempt count and lease owner. False: somebody was faster.
    Result<bool> transition(Transaction &, const Operation &from, const Operation &to);
    /// All unfinished operations of the entry that may be superseded; \p successor is null where nothing
    /// takes over.
    Result<void> supersedeAll(Transaction &, const ClientEntryId &id, const OperationId &successor,
                              Instant now);
    /// Supersedes an operation that never left. False where it was leased meanwhile.
    Result<bool> supersedeUnsent(Transaction &, const OperationId &id, const OperationId &successor,
                                 Instant now);
    Result<void> discardAll(Transaction &, const ClientEntryId &id, Instant now);
    /// Marks the entry's first unfinished operation as the one whose turn it is.
    Result<void> promoteHead(Transaction &, const ClientEntryId &id);
    /// Gives the entry's first unfinished operation the version it starts from, where it has none yet.
    Result<void> setBaseVersion(Transaction &, const ClientEntryId &id, qint64 version);

    /// Those that may be sent now, oldest first. Costs the same however many wait, stand behind others, are
    /// parked or finished.
    Result<QList<Operation>> ready(Instant now, int limit) const;
    /// Those whose lease ended, or reaches further ahead than a lease can (the clock was set back).
    Result<QList<Operation>> withExpiredLease(Instant now) const;
    Result<QList<Operation>> leasedBy(const QString &owner) const;
    Result<QList<Operation>> waiting(int limit) const; ///< retry_waiting, any order

private:
    Connection &m_connection;
    AccountId m_account;
};

} // namespace daybook
