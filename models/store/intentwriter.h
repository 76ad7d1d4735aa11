#pragma once

#include "models/store/accounttables.h"
#include "models/store/intentplan.h"

namespace daybook {

/// Writes what a person wants of an entry: the entry, its past and its operations. In the local-only account
/// there are no operations. **Thread:** that of the tables.
class IntentWriter
{
public:
    explicit IntentWriter(AccountTables &tables) : m_tables(tables) {}

    Result<void> add(Transaction &transaction, const ClientEntryId &id, const EntryFields &fields);
    Result<void> edit(Transaction &transaction, const EntryEdit &edit);
    Result<void> remove(Transaction &transaction, const ClientEntryId &id);
    Result<void> retry(Transaction &transaction, const ClientEntryId &id);
    Result<void> discard(Transaction &transaction, const ClientEntryId &id);

private:
    Result<Entry> shownEntry(const ClientEntryId &id) const;
    Result<void> write(Transaction &transaction, const Entry &before, const EntryFields *fields,
                       const Intent &intent);
    Result<void> queue(Transaction &transaction, const Entry &before, const EntryFields *fields,
                       const Intent &intent);
    Result<void> sendAgain(Transaction &transaction, const Operation &refused);
    Result<void> mayDiscard(const ClientEntryId &id, const std::optional<Operation> &head) const;
    Result<AttemptTraces> traces(const ClientEntryId &id) const;

    AccountTables &m_tables;
};

} // namespace daybook
