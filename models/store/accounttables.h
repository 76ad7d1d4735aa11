#pragma once

#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "models/store/attemptlog.h"
#include "models/store/entryhistory.h"
#include "models/store/entryrepository.h"
#include "models/store/operationqueue.h"

#include <memory>

namespace daybook {

class Connection;

/// The tables of one account on one connection, with what both facades do to several of them at once.
/// **Thread:** that of its connection. **Owner:** AccountStore or SyncJournal.
struct AccountTables
{
    /// NotFound where the store has no such account.
    static Result<std::unique_ptr<AccountTables>> open(const QString &databasePath, AccountId account,
                                                       Clock &clock, Random &random);
    ~AccountTables();
    Q_DISABLE_COPY_MOVE(AccountTables)

    /// After any change of an entry's operations: gives the turn to its first unfinished one and writes the
    /// badge, the only way it ever changes. Where none is unfinished, the server's state becomes what is
    /// shown; what that takes away is kept for \p reason.
    Result<void> settle(Transaction &transaction, const ClientEntryId &id, HistoryReason reason);
    /// Queues an operation of an entry, in place of all its unfinished ones; none takes over where it is
    /// null.
    Result<void> replaceOperations(Transaction &transaction, const ClientEntryId &id,
                                   const Operation *successor);

    std::unique_ptr<Connection> connection;
    Account account;
    Clock &clock;
    Random &random;
    EntryRepository entries;
    OperationQueue queue;
    AttemptLog attempts;
    EntryHistory history;

private:
    AccountTables(std::unique_ptr<Connection> opened, Account owner, Clock &clock, Random &random);
    Result<void> showServerState(Transaction &transaction, const Entry &entry, HistoryReason reason);
};

} // namespace daybook
