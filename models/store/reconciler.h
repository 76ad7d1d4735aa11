#pragma once

#include "models/store/accounttables.h"

namespace daybook {

/// Brings what the server said about an operation into the account's tables. **Thread:** that of the tables.
class Reconciler
{
public:
    explicit Reconciler(AccountTables &tables) : m_tables(tables) {}

    /// The server has the operation, in whatever state it is here by now. Where it was superseded or
    /// discarded meanwhile, another one is queued, so that the server ends with what the person sees.
    Result<void> confirm(Transaction &transaction, const Operation &operation, const ServerState &server);
    /// The server did not execute the operation (being sent), because the entry there is \p server now, or
    /// nothing. Ends as one merged operation, in conflict, or as done where both want the same.
    Result<void> contest(Transaction &transaction, const Operation &operation, const AttemptEnd &end,
                         const std::optional<ServerState> &server);

private:
    Result<void> takeServerState(Transaction &transaction, const ClientEntryId &id,
                                 const std::optional<ServerState> &server);
    Result<void> finish(Transaction &transaction, const Operation &operation, qint64 version);
    Result<void> compensate(Transaction &transaction, const Entry &seen);
    Result<void> merge(Transaction &transaction, const Operation &contested, const Entry &entry);

    AccountTables &m_tables;
};

} // namespace daybook
