#include "models/store/intentwriter.h"

#include "models/domain/crashpoint.h"
#include "models/store/payload.h"
#include "models/store/transaction.h"

#include <span>

namespace daybook {

namespace {

Error stale(const QString &detail) { return {ErrorKind::Stale, detail}; }

bool isRefused(const std::optional<Operation> &head)
{
    return head && head->state == OperationState::PermanentFailed;
}

bool isParked(const std::optional<Operation> &head)
{
    return isRefused(head) || (head && head->state == OperationState::Conflict);
}

std::optional<qint64> serverVersion(const Entry &entry)
{
    return entry.server ? std::optional(entry.server->version) : std::nullopt;
}

const Operation *pointer(const std::optional<Operation> &operation)
{
    return operation ? &*operation : nullptr;
}

} // namespace

Result<void> IntentWriter::add(Transaction &transaction, const ClientEntryId &id, const EntryFields &fields)
{
    const bool localOnly = m_tables.account.isLocalOnly();
    const Operation operation = makeOperation(OperationType::CreateEntry, id, &fields, std::nullopt,
                                              std::nullopt, m_tables.random, m_tables.clock.now());
    const auto unfinished = localOnly ? std::span<const Operation>() : std::span(&operation, 1);
    const Entry entry{id, fields, false, {}, deriveSyncStatus(unfinished, localOnly)};
    if (const auto inserted = m_tables.entries.insert(transaction, entry); !inserted || localOnly)
        return inserted;
    crashPoint(CrashPoint::EntryInserted);
    const auto appended = m_tables.queue.append(transaction, operation);
    crashPoint(CrashPoint::OperationInserted);
    return appended;
}

Result<void> IntentWriter::edit(Transaction &transaction, const EntryEdit &edit)
{
    const auto before = shownEntry(edit.id);
    if (!before)
        return before.error();
    const auto head = m_tables.queue.head(edit.id);
    if (!head)
        return head.error();
    // Saving what is shown anyway says something only where it decides about a refused or contested change,
    // and the person had the server's side before them.
    const bool isShown = edit.fields == before->fields;
    const bool decides = isShown && isParked(*head) && edit.baseVersion == serverVersion(*before);
    if ((isShown || edit.fields == edit.base) && !decides)
        return {};
    return write(transaction, *before, &edit.fields, {false, edit.base, edit.baseVersion});
}

Result<void> IntentWriter::remove(Transaction &transaction, const ClientEntryId &id)
{
    const auto before = shownEntry(id);
    if (!before)
        return before.error();
    return write(transaction, *before, nullptr, {true, before->fields, serverVersion(*before)});
}

Result<void> IntentWriter::retry(Transaction &transaction, const ClientEntryId &id)
{
    const auto head = m_tables.queue.head(id);
    if (!head)
        return head.error();
    if (!isRefused(*head))
        return stale(QStringLiteral("nothing about the entry is refused any more"));
    if (const auto sent = sendAgain(transaction, **head); !sent)
        return sent;
    return m_tables.settle(transaction, id, HistoryReason::Edited);
}

Result<void> IntentWriter::discard(Transaction &transaction, const ClientEntryId &id)
{
    const auto head = m_tables.queue.head(id);
    if (!head)
        return head.error();
    if (const auto checked = mayDiscard(id, *head); !checked)
        return checked;
    if (const auto discarded = m_tables.queue.discardAll(transaction, id, m_tables.clock.now()); !discarded)
        return discarded;
    return m_tables.settle(transaction, id, HistoryReason::Discarded);
}

Result<Entry> IntentWriter::shownEntry(const ClientEntryId &id) const
{
    const auto found = m_tables.entries.find(id);
    if (!found)
        return found.error();
    if (!*found || (*found)->deleted)
        return Error{ErrorKind::NotFound, QStringLiteral("there is no such entry any more")};
    return **found;
}

/// An edit or, where \p fields is null, a deletion.
Result<void> IntentWriter::write(Transaction &transaction, const Entry &before, const EntryFields *fields,
                                 const Intent &intent)
{
    const HistoryReason reason = intent.deletes ? HistoryReason::Deleted : HistoryReason::Edited;
    if (fields == nullptr || *fields != before.fields)
        if (const auto kept = m_tables.history.keep(transaction, before, reason, m_tables.clock.now()); !kept)
            return kept;
    const bool localOnly = m_tables.account.isLocalOnly();
    if (localOnly && intent.deletes)
        return m_tables.entries.remove(transaction, before.id);
    const EntryFields &shown = fields == nullptr ? before.fields : *fields;
    if (const auto done = m_tables.entries.show(transaction, before.id, shown, intent.deletes);
        !done || localOnly)
        return done;
    crashPoint(CrashPoint::EntryInserted);
    if (const auto queued = queue(transaction, before, fields, intent); !queued)
        return queued;
    crashPoint(CrashPoint::OperationInserted);
    return m_tables.settle(transaction, before.id, reason);
}

Result<void> IntentWriter::queue(Transaction &transaction, const Entry &before, const EntryFields *fields,
                                 const Intent &intent)
{
    const auto head = m_tables.queue.head(before.id);
    const auto last = m_tables.queue.last(before.id);
    if (!head || !last)
        return head ? last.error() : head.error();
    const auto past = traces(before.id);
    if (!past)
        return past.error();
    const IntentPlan plan = planIntent(
        intent, before.server, {pointer(*head), pointer(*last), past->mayHaveArrived, past->refusals > 1});
    const Instant now = m_tables.clock.now();
    std::optional<Operation> operation;
    if (plan.sends)
        operation =
            makeOperation(*plan.sends, before.id, fields, plan.baseVersion, plan.base, m_tables.random, now);
    if (plan.replaces == IntentPlan::Replaces::AllOperations)
        return m_tables.replaceOperations(transaction, before.id, pointer(operation));
    if (isRefused(*head))
        if (const auto sent = sendAgain(transaction, **head); !sent)
            return sent;
    if (plan.replaces == IntentPlan::Replaces::LastOperation) {
        const OperationId heir = operation ? operation->id : OperationId();
        const auto superseded = m_tables.queue.supersedeUnsent(transaction, (*last)->id, heir, now);
        if (!superseded)
            return superseded.error();
        if (!*superseded)
            return stale(QStringLiteral("the operation has left meanwhile"));
    }
    return operation ? m_tables.queue.append(transaction, *operation) : Result<void>();
}

/// With the same id: the server replays what it did, and does not remember that it refused.
Result<void> IntentWriter::sendAgain(Transaction &transaction, const Operation &refused)
{
    Operation again = ended(refused, OperationState::Pending);
    again.lastErrorCode.clear();
    again.lastErrorDetail.clear();
    const auto moved = m_tables.queue.transition(transaction, refused, again);
    if (!moved)
        return moved.error();
    return *moved ? Result<void>() : stale(QStringLiteral("nothing about the entry is refused any more"));
}

Result<void> IntentWriter::mayDiscard(const ClientEntryId &id, const std::optional<Operation> &head) const
{
    if (!head)
        return stale(QStringLiteral("the entry has no change that could be discarded any more"));
    if (head->state == OperationState::Quarantined)
        return stale(
            QStringLiteral("the change was made by a newer version of the program and is kept for it"));
    const auto past = traces(id);
    if (!past)
        return past.error();
    if (!past->mayHaveArrived)
        return {};
    if (isRefused(head))
        return stale(QStringLiteral("an earlier try may have reached the server; send the change once more"));
    return stale(QStringLiteral("the change may have reached the server; wait for its answer first"));
}

/// What the attempts since the server last told how the entry stands leave open, those of superseded
/// operations too: that another one took over does not make them unsent. Refusals count where they leave it
/// open.
Result<AttemptTraces> IntentWriter::traces(const ClientEntryId &id) const
{
    const auto operations = m_tables.queue.ofEntry(id);
    if (!operations)
        return operations.error();
    AttemptTraces all;
    for (auto it = operations->crbegin(); it != operations->crend(); ++it) {
        const auto own = m_tables.attempts.traces(it->id);
        if (!own)
            return own;
        if (own->answered)
            break;
        if (own->mayHaveArrived)
            all = {false, true, all.refusals + own->refusals};
    }
    return all;
}

} // namespace daybook
