#include "models/store/accounttables.h"

#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/transaction.h"

#include <span>
#include <utility>

namespace daybook {

Result<std::unique_ptr<AccountTables>> AccountTables::open(const QString &databasePath, AccountId account,
                                                           Clock &clock, Random &random)
{
    auto connection = Connection::open(databasePath);
    if (!connection)
        return connection.error();
    auto owner = AccountRepository(**connection).byId(account);
    if (!owner)
        return owner.error();
    return std::unique_ptr<AccountTables>(
        new AccountTables(*std::move(connection), *std::move(owner), clock, random));
}

AccountTables::AccountTables(std::unique_ptr<Connection> opened, Account owner, Clock &clock_,
                             Random &random_)
    : connection(std::move(opened)),
      account(std::move(owner)),
      clock(clock_),
      random(random_),
      entries(*connection, account.id),
      queue(*connection, account.id),
      attempts(*connection, account.id),
      history(*connection, account.id)
{
}

AccountTables::~AccountTables() = default;

Result<void> AccountTables::settle(Transaction &transaction, const ClientEntryId &id, HistoryReason reason)
{
    if (const auto promoted = queue.promoteHead(transaction, id); !promoted)
        return promoted;
    const auto head = queue.head(id);
    if (!head)
        return head.error();
    if (*head) // it decides the badge, since the others wait for it
        return entries.setStatus(transaction, id, deriveSyncStatus(std::span(&**head, 1), false));
    const auto entry = entries.find(id);
    if (!entry)
        return entry.error();
    return *entry ? showServerState(transaction, **entry, reason) : Result<void>();
}

Result<void> AccountTables::showServerState(Transaction &transaction, const Entry &entry,
                                            HistoryReason reason)
{
    const bool remains = entry.server && !entry.server->deleted;
    const bool isShown = remains && entry.server->fields == entry.fields;
    if (!entry.deleted && !isShown)
        if (const auto kept = history.keep(transaction, entry, reason, clock.now()); !kept)
            return kept;
    if (!remains)
        return entries.remove(transaction, entry.id);
    if (const auto shown = entries.show(transaction, entry.id, entry.server->fields, false); !shown)
        return shown;
    return entries.setStatus(transaction, entry.id, deriveSyncStatus({}, false));
}

Result<void> AccountTables::replaceOperations(Transaction &transaction, const ClientEntryId &id,
                                              const Operation *successor)
{
    const OperationId heir = successor == nullptr ? OperationId() : successor->id;
    if (const auto done = queue.supersedeAll(transaction, id, heir, clock.now()); !done)
        return done;
    return successor == nullptr ? Result<void>() : queue.append(transaction, *successor);
}

} // namespace daybook
