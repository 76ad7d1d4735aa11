#include "models/store/accountstore.h"

#include "models/domain/crashpoint.h"
#include "models/store/accounttables.h"
#include "models/store/connection.h"
#include "models/store/entrylist.h"
#include "models/store/intentplan.h"
#include "models/store/payload.h"
#include "models/store/transaction.h"

#include <span>
#include <utility>

namespace daybook {

namespace {

Error noSuchEntry() { return {ErrorKind::NotFound, QStringLiteral("there is no such entry any more")}; }

Error stale(const QString &detail) { return {ErrorKind::Stale, detail}; }

bool isParked(const std::optional<Operation> &head)
{
    return head &&
           (head->state == OperationState::PermanentFailed || head->state == OperationState::Conflict);
}

const Operation *pointer(const std::optional<Operation> &operation)
{
    return operation ? &*operation : nullptr;
}

} // namespace

struct AccountStore::Private
{
    explicit Private(std::unique_ptr<AccountTables> opened)
        : tables(std::move(opened)),
          list(*tables->connection, tables->account.id)
    {
    }

    Result<Entry> shownEntry(const ClientEntryId &id) const;
    Result<void> insert(Transaction &transaction, const ClientEntryId &id, const EntryFields &fields);
    Result<void> apply(Transaction &transaction, const Entry &before, const EntryFields *fields,
                       const Intent &intent);
    Result<void> queue(Transaction &transaction, const ClientEntryId &id, const IntentPlan &plan,
                       const Operation *last, const Operation *operation);
    Result<void> checkDiscardable(const std::optional<Operation> &head) const;
    static Result<void> commitSave(Transaction &transaction);

    std::unique_ptr<AccountTables> tables;
    EntryList list;
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
    auto transaction = Transaction::begin(*d->tables->connection);
    if (!transaction)
        return transaction.error();
    const auto id = ClientEntryId::random(d->tables->random);
    if (const auto inserted = d->insert(*transaction, id, fields); !inserted)
        return inserted.error();
    if (const auto committed = Private::commitSave(*transaction); !committed)
        return committed.error();
    announce(id);
    return id;
}

Result<void> AccountStore::editEntry(const EntryEdit &edit)
{
    if (const auto checked = checkFields(edit.fields); !checked)
        return checked;
    auto transaction = Transaction::begin(*d->tables->connection);
    if (!transaction)
        return transaction.error();
    const auto before = d->shownEntry(edit.id);
    if (!before)
        return before.error();
    const auto head = d->tables->queue.head(edit.id);
    if (!head)
        return head.error();
    // Saving what is shown anyway says something only where it decides about a refused or contested change.
    if (edit.fields == edit.base || (edit.fields == before->fields && !isParked(*head)))
        return {};
    if (const auto applied =
            d->apply(*transaction, *before, &edit.fields, {false, edit.base, edit.baseVersion});
        !applied)
        return applied;
    if (const auto committed = Private::commitSave(*transaction); !committed)
        return committed;
    announce(edit.id);
    return {};
}

Result<void> AccountStore::deleteEntry(const ClientEntryId &id)
{
    auto transaction = Transaction::begin(*d->tables->connection);
    if (!transaction)
        return transaction.error();
    const auto before = d->shownEntry(id);
    if (!before)
        return before.error();
    const std::optional<qint64> version =
        before->server ? std::optional(before->server->version) : std::nullopt;
    if (const auto applied = d->apply(*transaction, *before, nullptr, {true, before->fields, version});
        !applied)
        return applied;
    if (const auto committed = Private::commitSave(*transaction); !committed)
        return committed;
    announce(id);
    return {};
}

Result<void> AccountStore::retryChange(const ClientEntryId &id)
{
    auto transaction = Transaction::begin(*d->tables->connection);
    if (!transaction)
        return transaction.error();
    const auto head = d->tables->queue.head(id);
    if (!head)
        return head.error();
    if (!*head || (*head)->state != OperationState::PermanentFailed)
        return stale(QStringLiteral("nothing about the entry is refused any more"));
    const Operation &refused = **head;
    Operation again = refused;
    again.state = OperationState::Pending;
    again.lastErrorCode.clear();
    again.lastErrorDetail.clear();
    const auto moved = d->tables->queue.transition(*transaction, refused, again);
    if (!moved)
        return moved.error();
    if (const auto settled = d->tables->settle(*transaction, id, HistoryReason::Edited); !settled)
        return settled;
    if (const auto committed = transaction->commit(); !committed)
        return committed;
    announce(id);
    return {};
}

Result<void> AccountStore::discardChange(const ClientEntryId &id)
{
    auto transaction = Transaction::begin(*d->tables->connection);
    if (!transaction)
        return transaction.error();
    const auto head = d->tables->queue.head(id);
    if (!head)
        return head.error();
    if (const auto checked = d->checkDiscardable(*head); !checked)
        return checked;
    if (const auto discarded = d->tables->queue.discardAll(*transaction, id, d->tables->clock.now());
        !discarded)
        return discarded;
    if (const auto settled = d->tables->settle(*transaction, id, HistoryReason::Discarded); !settled)
        return settled;
    if (const auto committed = transaction->commit(); !committed)
        return committed;
    Q_EMIT entriesChanged({id});
    return {};
}

void AccountStore::announce(const ClientEntryId &id)
{
    Q_EMIT entriesChanged({id});
    if (!account().isLocalOnly())
        Q_EMIT operationQueued();
}

Result<Entry> AccountStore::Private::shownEntry(const ClientEntryId &id) const
{
    const auto found = tables->entries.find(id);
    if (!found)
        return found.error();
    if (!*found || (*found)->deleted)
        return noSuchEntry();
    return **found;
}

Result<void> AccountStore::Private::insert(Transaction &transaction, const ClientEntryId &id,
                                           const EntryFields &fields)
{
    const bool localOnly = tables->account.isLocalOnly();
    const Operation operation = makeOperation(OperationType::CreateEntry, id, &fields, std::nullopt,
                                              std::nullopt, tables->random, tables->clock.now());
    const auto unfinished = localOnly ? std::span<const Operation>() : std::span(&operation, 1);
    const Entry entry{id, fields, false, {}, deriveSyncStatus(unfinished, localOnly)};
    if (const auto inserted = tables->entries.insert(transaction, entry); !inserted || localOnly)
        return inserted;
    crashPoint(CrashPoint::EntryInserted);
    const auto appended = tables->queue.append(transaction, operation);
    crashPoint(CrashPoint::OperationInserted);
    return appended;
}

/// Writes an edit or, where \p fields is null, a deletion.
Result<void> AccountStore::Private::apply(Transaction &transaction, const Entry &before,
                                          const EntryFields *fields, const Intent &intent)
{
    const HistoryReason reason = intent.deletes ? HistoryReason::Deleted : HistoryReason::Edited;
    if (fields == nullptr || *fields != before.fields)
        if (const auto kept = tables->history.keep(transaction, before, reason, tables->clock.now()); !kept)
            return kept;
    if (tables->account.isLocalOnly() && fields == nullptr)
        return tables->entries.remove(transaction, before.id);
    const EntryFields &shown = fields == nullptr ? before.fields : *fields;
    if (const auto done = tables->entries.show(transaction, before.id, shown, intent.deletes);
        !done || tables->account.isLocalOnly())
        return done;
    crashPoint(CrashPoint::EntryInserted);

    const auto head = tables->queue.head(before.id);
    const auto last = tables->queue.last(before.id);
    if (!head || !last)
        return head ? last.error() : head.error();
    const IntentPlan plan = planIntent(intent, before.server, pointer(*head), pointer(*last));
    std::optional<Operation> operation;
    if (plan.sends)
        operation = makeOperation(*plan.sends, before.id, fields, plan.baseVersion, plan.base, tables->random,
                                  tables->clock.now());
    if (const auto queued = queue(transaction, before.id, plan, pointer(*last), pointer(operation)); !queued)
        return queued;
    crashPoint(CrashPoint::OperationInserted);
    return tables->settle(transaction, before.id, reason);
}

Result<void> AccountStore::Private::queue(Transaction &transaction, const ClientEntryId &id,
                                          const IntentPlan &plan, const Operation *last,
                                          const Operation *operation)
{
    if (plan.replaces == IntentPlan::Replaces::AllOperations)
        return tables->replaceOperations(transaction, id, operation);
    if (plan.replaces == IntentPlan::Replaces::LastOperation) {
        const OperationId heir = operation == nullptr ? OperationId() : operation->id;
        const auto superseded =
            tables->queue.supersedeUnsent(transaction, last->id, heir, tables->clock.now());
        if (!superseded)
            return superseded.error();
        if (!*superseded)
            return stale(QStringLiteral("the operation has left meanwhile"));
    }
    return operation == nullptr ? Result<void>() : tables->queue.append(transaction, *operation);
}

Result<void> AccountStore::Private::checkDiscardable(const std::optional<Operation> &head) const
{
    if (!head)
        return stale(QStringLiteral("the entry has no change that could be discarded any more"));
    if (isParked(head))
        return {};
    if (head->state == OperationState::Quarantined)
        return stale(
            QStringLiteral("the change was made by a newer version of the program and is kept for it"));
    const auto mayHaveArrived = tables->attempts.mayHaveArrived(head->id);
    if (!mayHaveArrived)
        return mayHaveArrived.error();
    if (head->state == OperationState::Sending || *mayHaveArrived)
        return stale(QStringLiteral("the change may have reached the server; wait for its answer first"));
    return {};
}

Result<void> AccountStore::Private::commitSave(Transaction &transaction)
{
    const auto committed = transaction.commit();
    if (committed)
        crashPoint(CrashPoint::SaveCommitted);
    return committed;
}

// --- Reading ---------------------------------------------------------------------------------------------

Result<Entry> AccountStore::entry(const ClientEntryId &id) const
{
    const auto found = d->tables->entries.find(id);
    if (!found)
        return found.error();
    return *found ? Result<Entry>(**found) : Result<Entry>(noSuchEntry());
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
