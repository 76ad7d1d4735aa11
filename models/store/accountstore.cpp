#include "models/store/accountstore.h"

#include "models/domain/crashpoint.h"
#include "models/store/accounttables.h"
#include "models/store/connection.h"
#include "models/store/entrylist.h"
#include "models/store/intentwriter.h"
#include "models/store/transaction.h"

#include <utility>

namespace daybook {

namespace {

/// So many deletions take a few milliseconds, for which another writer has to wait.
constexpr qsizetype deletionsPerTransaction = 50;

} // namespace

struct AccountStore::Private
{
    explicit Private(std::unique_ptr<AccountTables> opened)
        : tables(std::move(opened)),
          list(*tables->connection, tables->account.id),
          writer(*tables)
    {
    }

    std::unique_ptr<AccountTables> tables;
    EntryList list;
    IntentWriter writer;
};

Result<std::unique_ptr<AccountStore>> AccountStore::open(const QString &databasePath, AccountId account,
                                                         Clock &clock, Random &random)
{
    auto tables = AccountTables::open(databasePath, account, clock, random);
    if (!tables)
        return tables.error();
    return std::unique_ptr<AccountStore>(new AccountStore(std::make_unique<Private>(*std::move(tables))));
}

AccountStore::AccountStore(std::unique_ptr<Private> opened) : d(std::move(opened)) {}

AccountStore::~AccountStore() = default;

const Account &AccountStore::account() const { return d->tables->account; }

// --- Intents ---------------------------------------------------------------------------------------------

Result<ClientEntryId> AccountStore::addEntry(const EntryFields &fields)
{
    if (const auto checked = checkFields(fields); !checked)
        return checked.error();
    const auto id = ClientEntryId::random(d->tables->random);
    const auto saved =
        save(id, [&](Transaction &transaction) { return d->writer.add(transaction, id, fields); });
    return saved ? Result<ClientEntryId>(id) : Result<ClientEntryId>(saved.error());
}

Result<void> AccountStore::editEntry(const EntryEdit &edit)
{
    if (const auto checked = checkFields(edit.fields); !checked)
        return checked;
    return save(edit.id, [&](Transaction &transaction) { return d->writer.edit(transaction, edit); });
}

Result<void> AccountStore::deleteEntries(const QList<ClientEntryId> &ids)
{
    const auto removeAll = [&](Transaction &transaction, const QList<ClientEntryId> &some) -> Result<void> {
        for (const ClientEntryId &id : some) {
            const auto removed = d->writer.remove(transaction, id);
            const bool isGone = !removed && removed.error().kind == ErrorKind::NotFound;
            if (!removed && !(isGone && ids.size() > 1))
                return removed;
        }
        return {};
    };
    QList<ClientEntryId> deleted;
    Result<void> done;
    while (done && deleted.size() < ids.size()) {
        const auto some = ids.mid(deleted.size(), deletionsPerTransaction);
        done = inTransaction(*d->tables->connection,
                             [&](Transaction &transaction) { return removeAll(transaction, some); });
        if (done)
            deleted += some;
    }
    if (!deleted.isEmpty())
        announce(deleted);
    return done;
}

Result<void> AccountStore::retryChange(const ClientEntryId &id)
{
    return save(id, [&](Transaction &transaction) { return d->writer.retry(transaction, id); });
}

Result<void> AccountStore::discardChange(const ClientEntryId &id)
{
    return save(id, [&](Transaction &transaction) { return d->writer.discard(transaction, id); });
}

template<typename Work>
Result<void> AccountStore::save(const ClientEntryId &id, const Work &work)
{
    const Result<void> saved = inTransaction(*d->tables->connection, work);
    if (saved)
        announce({id});
    return saved;
}

void AccountStore::announce(const QList<ClientEntryId> &ids)
{
    crashPoint(CrashPoint::SaveCommitted);
    Q_EMIT entriesChanged(ids);
    if (!account().isLocalOnly())
        Q_EMIT operationQueued();
}

// --- Reading ---------------------------------------------------------------------------------------------

Result<Entry> AccountStore::entry(const ClientEntryId &id) const
{
    const auto found = d->tables->entries.find(id);
    if (!found)
        return found.error();
    if (!*found)
        return Error{ErrorKind::NotFound, QStringLiteral("there is no such entry any more")};
    return **found;
}

Result<QList<Entry>> AccountStore::entriesAfter(const EntryFilter &filter,
                                                const std::optional<EntryKey> &after, int limit) const
{
    return d->list.entriesAfter(filter, after, limit);
}

Result<QList<Entry>> AccountStore::entriesFrom(const EntryFilter &filter, qint64 offset, int limit) const
{
    return d->list.entriesFrom(filter, offset, limit);
}

Result<QList<Entry>> AccountStore::entriesById(const EntryFilter &filter,
                                               const QList<ClientEntryId> &ids) const
{
    return d->list.entriesById(filter, ids);
}

Result<qint64> AccountStore::entryCount(const EntryFilter &filter) const
{
    return d->list.entryCount(filter);
}

Result<qint64> AccountStore::entriesBefore(const EntryFilter &filter, const EntryKey &key) const
{
    return d->list.entriesBefore(filter, key);
}

Result<QStringList> AccountStore::categories(int limit) const { return d->list.categories(limit); }

Result<QList<Operation>> AccountStore::operations(const ClientEntryId &id) const
{
    return d->tables->queue.ofEntry(id);
}

Result<QList<Attempt>> AccountStore::attempts(const OperationId &id) const
{
    return d->tables->attempts.of(id);
}

Result<QueueSummary> AccountStore::queueSummary() const
{
    return daybook::queueSummary(*d->tables->connection, account().id, d->tables->clock.now());
}

Result<QueueMetrics> AccountStore::metrics() const
{
    return queueMetrics(*d->tables->connection, account().id, d->tables->clock.now());
}

} // namespace daybook
