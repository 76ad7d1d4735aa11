#include "app/cli/localcommands.h"

#include "app/cli/output.h"
#include "app/datafolder.h"
#include "app/instancelink.h"
#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/audit.h"
#include "models/store/connection.h"

#include <QJsonArray>

#include <numeric>

namespace daybook {

namespace {

/// What the commands share: the store of the current account.
struct Context
{
    const Arguments &arguments;
    const DataFolder &folder;
    AccountStore &store;
    Clock &clock;
};

Result<ClientEntryId> entryOperand(const Arguments &arguments)
{
    if (const auto id = ClientEntryId::fromString(arguments.operands.first()))
        return *id;
    return Error{
        ErrorKind::InvalidArgument,
        QStringLiteral("'%1' is not an entry id, such as list prints").arg(arguments.operands.first())};
}

ExitCode report(const Context &context, const ClientEntryId &id, const Result<void> &done)
{
    if (!done)
        return fail(done.error());
    tellInstance(context.folder, InstanceMessage::Nudge);
    const auto entry = context.store.entry(id);
    if (!context.arguments.json)
        print(id.toString() + QLatin1Char('\n'));
    else if (entry)
        print(toJson(*entry));
    else
        print(
            QJsonObject{{QStringLiteral("clientEntryId"), id.toString()}, {QStringLiteral("deleted"), true}});
    return ExitCode::Success;
}

ExitCode add(const Context &context)
{
    EntryFields fields;
    fields.value = *context.arguments.value;
    fields.recordedAt = context.arguments.recordedAt.value_or(recordedHere(context.clock.now()));
    fields.category = context.arguments.category.value_or(QString());
    fields.note = context.arguments.note.value_or(QString());
    const auto id = context.store.addEntry(fields);
    if (!id)
        return fail(id.error());
    return report(context, *id, {});
}

ExitCode edit(const Context &context)
{
    const auto id = entryOperand(context.arguments);
    if (!id)
        return fail(id.error());
    const auto entry = context.store.entry(*id);
    if (!entry)
        return fail(entry.error());
    EntryEdit change{*id, entry->fields, {}, entry->fields};
    if (entry->server)
        change.baseVersion = entry->server->version;
    change.fields.value = context.arguments.value.value_or(change.fields.value);
    change.fields.recordedAt = context.arguments.recordedAt.value_or(change.fields.recordedAt);
    change.fields.category = context.arguments.category.value_or(change.fields.category);
    change.fields.note = context.arguments.note.value_or(change.fields.note);
    return report(context, *id, context.store.editEntry(change));
}

ExitCode remove(const Context &context)
{
    const auto id = entryOperand(context.arguments);
    return id ? report(context, *id, context.store.deleteEntries({*id})) : fail(id.error());
}

ExitCode list(const Context &context)
{
    const auto entries = context.store.entriesAfter(context.arguments.filter, {}, context.arguments.limit);
    if (!entries)
        return fail(entries.error());
    QJsonArray array;
    for (const Entry &entry : *entries) {
        if (context.arguments.json)
            array.append(toJson(entry));
        else
            print(toLine(entry));
    }
    if (context.arguments.json)
        print(QJsonObject{{QStringLiteral("entries"), array}});
    return ExitCode::Success;
}

ExitCode show(const Context &context)
{
    const auto id = entryOperand(context.arguments);
    if (!id)
        return fail(id.error());
    const auto entry = context.store.entry(*id);
    const auto operations = context.store.operations(*id);
    if (!operations)
        return fail(operations.error());
    if (!entry && operations->isEmpty()) // a deleted entry lives on in its operations for a while
        return fail(entry.error());
    QString text = entry ? toLine(*entry) : QStringLiteral("deleted  %1\n").arg(id->toString());
    QJsonArray array;
    for (const Operation &operation : *operations) {
        const auto attempts = context.store.attempts(operation.id);
        if (!attempts)
            return fail(attempts.error());
        text += toText(operation, *attempts);
        array.append(toJson(operation, *attempts));
    }
    if (!context.arguments.json) {
        print(text);
        return ExitCode::Success;
    }
    QJsonObject object{{QStringLiteral("clientEntryId"), id->toString()}, {QStringLiteral("deleted"), true}};
    if (entry)
        object = toJson(*entry);
    object[QStringLiteral("operations")] = array;
    print(object);
    return ExitCode::Success;
}

QString inWords(const Account &account)
{
    if (account.isLocalOnly())
        return QStringLiteral("on this computer only");
    return QStringLiteral("%1 at %2%3")
        .arg(account.username, account.serverOrigin,
             account.signedIn ? QString() : QStringLiteral(" (signed out)"));
}

ExitCode status(const Context &context)
{
    const auto summary = context.store.queueSummary();
    if (!summary)
        return fail(summary.error());
    const Account &account = context.store.account();
    if (context.arguments.json) {
        print(QJsonObject{
            {QStringLiteral("account"), QJsonObject{{QStringLiteral("username"), account.username},
                                                    {QStringLiteral("server"), account.serverOrigin},
                                                    {QStringLiteral("accountId"), account.serverAccountId},
                                                    {QStringLiteral("signedIn"), account.signedIn}}},
            {QStringLiteral("queue"), toJson(*summary)}});
        return ExitCode::Success;
    }
    const auto time = [](const std::optional<Instant> &at) { return RecordedAt{*at, {}}.toRfc3339(); };
    QString text = QStringLiteral("account: %1\n").arg(inWords(account));
    text += QStringLiteral("waiting: %1 (%2 to send, %3 under way, %4 to retry)\n")
                .arg(summary->waiting())
                .arg(summary->pending)
                .arg(summary->sending)
                .arg(summary->retryWaiting);
    text += QStringLiteral("needs attention: %1, conflicts: %2\n")
                .arg(summary->needAttention())
                .arg(summary->conflict);
    if (summary->oldestWaitingAt)
        text += QStringLiteral("oldest waiting since: %1\n").arg(time(summary->oldestWaitingAt));
    if (summary->nextAttemptAt)
        text += QStringLiteral("next try: %1\n").arg(time(summary->nextAttemptAt));
    if (summary->blockedUntil)
        text += QStringLiteral("the server asks to wait until: %1\n").arg(time(summary->blockedUntil));
    if (summary->lastConfirmedAt)
        text += QStringLiteral("last confirmation: %1\n").arg(time(summary->lastConfirmedAt));
    print(text);
    return ExitCode::Success;
}

ExitCode showMetrics(const Context &context)
{
    const auto metrics = context.store.metrics();
    if (!metrics)
        return fail(metrics.error());
    if (context.arguments.json)
        print(toJson(*metrics));
    else
        print(toPrometheusText(*metrics, context.clock.now()));
    return ExitCode::Success;
}

ExitCode verify(const Arguments &arguments, Connection &connection)
{
    const auto found = audit(connection);
    if (!found)
        return fail(found.error());
    const qint64 findings = std::accumulate(found->found.begin(), found->found.end(), qint64(0));
    QJsonArray array; // of each kind the first ones
    QString text = QStringLiteral("%1 entries, %2 operations, %3 attempts: %4\n")
                       .arg(found->entries)
                       .arg(found->operations)
                       .arg(found->attempts)
                       .arg(found->clean() ? QStringLiteral("every invariant holds")
                                           : QStringLiteral("%1 findings").arg(findings));
    for (const Finding &finding : found->findings) {
        text += QStringLiteral("  invariant %1: %2\n").arg(finding.invariant).arg(finding.detail);
        array.append(QJsonObject{{QStringLiteral("invariant"), finding.invariant},
                                 {QStringLiteral("detail"), finding.detail}});
    }
    if (arguments.json)
        print(QJsonObject{{QStringLiteral("entries"), found->entries},
                          {QStringLiteral("operations"), found->operations},
                          {QStringLiteral("attempts"), found->attempts},
                          {QStringLiteral("found"), findings},
                          {QStringLiteral("findings"), array}});
    else
        print(text);
    return found->clean() ? ExitCode::Success : ExitCode::Damaged;
}

} // namespace

ExitCode runLocalCommand(const Arguments &arguments, const DataFolder &folder, Clock &clock, Random &random)
{
    const auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return fail(connection.error());
    if (arguments.command == QLatin1String("verify"))
        return verify(arguments, **connection);
    const auto account = AccountRepository(**connection).current();
    if (!account)
        return fail(account.error());
    const auto store = AccountStore::open(folder.databasePath(), account->id, clock, random);
    if (!store)
        return fail(store.error());
    const Context context{arguments, folder, **store, clock};
    if (arguments.command == QLatin1String("add"))
        return add(context);
    if (arguments.command == QLatin1String("edit"))
        return edit(context);
    if (arguments.command == QLatin1String("delete"))
        return remove(context);
    if (arguments.command == QLatin1String("list"))
        return list(context);
    if (arguments.command == QLatin1String("show"))
        return show(context);
    if (arguments.command == QLatin1String("metrics"))
        return showMetrics(context);
    return status(context);
}

} // namespace daybook
