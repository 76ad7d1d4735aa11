#include "app/accounts.h"

#include "app/datafolder.h"
#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/transaction.h"

namespace daybook {

Result<Account> currentAccount(const DataFolder &folder)
{
    const auto connection = Connection::open(folder.databasePath());
    return connection ? AccountRepository(**connection).current() : Result<Account>(connection.error());
}

Result<Account> makeCurrent(const DataFolder &folder, const Account &account)
{
    const auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return connection.error();
    return inTransaction(**connection, [&](Transaction &transaction) {
        return AccountRepository(**connection).signIn(transaction, account);
    });
}

Result<Account> leaveAccount(const DataFolder &folder, AccountId id)
{
    const auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return connection.error();
    AccountRepository accounts(**connection);
    const auto left = inTransaction(
        **connection, [&](Transaction &transaction) { return accounts.signOut(transaction, id); });
    return left ? accounts.current() : Result<Account>(left.error());
}

} // namespace daybook
