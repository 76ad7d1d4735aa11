#pragma once

#include "models/domain/account.h"
#include "models/domain/result.h"

#include <QString>

namespace daybook {

class Connection;
class Transaction;
struct AccountWaits;

/// The accounts of one store file. **Thread:** that of its connection.
class AccountRepository
{
public:
    explicit AccountRepository(Connection &connection) : m_connection(connection) {}

    Result<Account> byId(AccountId id) const;
    Result<Account> localOnly() const; ///< exists in every store
    /// The account that is signed in, or the local-only one.
    Result<Account> current() const;

    /// Adds the account, or brings name and state of the known one (same origin and server id) up to date.
    /// All others are signed out, so that nobody else's comes back when this one is.
    Result<Account> signIn(Transaction &transaction, const Account &account);
    /// Keeps everything; only nothing is sent any more.
    Result<void> signOut(Transaction &transaction, AccountId id);

    Result<AccountWaits> waits(AccountId id) const;
    Result<void> setWaits(Transaction &transaction, AccountId id, const AccountWaits &waits);

    /// Made with the file; tells this copy of the program from all others.
    Result<QString> installId() const;

private:
    Connection &m_connection;
};

} // namespace daybook
