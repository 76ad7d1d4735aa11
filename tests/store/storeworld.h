#pragma once

#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/audit.h"
#include "models/store/connection.h"
#include "models/store/entryhistory.h"
#include "models/store/statement.h"
#include "models/store/syncjournal.h"
#include "models/store/transaction.h"
#include "tests/support/fakeclock.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

namespace daybook {

/// The value, or the end of the test program with the error's words.
template<typename T>
T must(Result<T> result)
{
    if (!result)
        qFatal("%ls", qUtf16Printable(result.error().detail));
    return *std::move(result);
}

inline void must(const Result<void> &result)
{
    if (!result)
        qFatal("%ls", qUtf16Printable(result.error().detail));
}

inline EntryFields fieldsWith(qint64 value, const QString &note = {}, const QString &category = {},
                              Milliseconds after = {})
{
    const Instant start = fromEpochMilliseconds(1'768'291'200'000);
    return {must(DecimalValue::fromThousandths(value * 1000)),
            {start + after, std::chrono::minutes(540)},
            category,
            note};
}

/// What the server has after it executed something.
inline ServerState serverHas(qint64 version, const EntryFields &fields, bool deleted = false)
{
    return {QStringLiteral("server-side-id"), version, fields, deleted};
}

inline AttemptEnd attemptEnd(AttemptResult result, const QString &code = {})
{
    AttemptEnd end;
    end.result = result;
    end.errorCode = code;
    return end;
}

/// What an entry was before a change took it away.
struct PastEntry
{
    HistoryReason reason = HistoryReason::Edited;
    Instant replacedAt;
    std::optional<qint64> version;
    EntryFields fields;
};

/// Oldest first.
inline QList<PastEntry> historyOf(Connection &connection, AccountId account, const ClientEntryId &id)
{
    const auto read = [](const Statement &row) -> Result<PastEntry> {
        return PastEntry{static_cast<HistoryReason>(row.number(0)),
                         row.instant(1),
                         row.maybeNumber(2),
                         {must(DecimalValue::fromThousandths(row.number(3))),
                          {row.instant(4), std::chrono::minutes(row.number(5))},
                          row.text(6),
                          row.text(7)}};
    };
    return must(selectAll(connection,
                          QStringLiteral("SELECT reason, replaced_at, version, value, recorded_at, "
                                         "recorded_offset, category, note FROM entry_history "
                                         "WHERE account_id = ? AND local_id = ? ORDER BY history_id"),
                          read, account, id));
}

/// How SQLite would run \p sql, a step a line.
inline QStringList queryPlan(Connection &connection, QString sql)
{
    static const QRegularExpression parameter(QStringLiteral("\\?|@\\w+"));
    const auto readDetail = [](const Statement &row) -> Result<QString> { return row.text(3); };
    return must(selectAll(connection,
                          QStringLiteral("EXPLAIN QUERY PLAN ") + sql.replace(parameter, QStringLiteral("1")),
                          readDetail));
}

/// A store file of its own with one signed-in account, its window's side and its worker's side.
struct StoreWorld
{
    StoreWorld()
        : path(folder.filePath(QStringLiteral("daybook.sqlite"))),
          connection(must(Connection::open(path))),
          account(signIn(QStringLiteral("a-1"))),
          store(must(AccountStore::open(path, account.id, clock, random))),
          journal(openJournal("one"))
    {
    }

    Account signIn(const QString &serverAccountId)
    {
        auto transaction = must(Transaction::begin(*connection));
        Account wanted;
        wanted.serverOrigin = QStringLiteral("https://sync.example");
        wanted.serverAccountId = serverAccountId;
        wanted.username = QStringLiteral("ada");
        const Account known = must(AccountRepository(*connection).signIn(transaction, wanted));
        must(transaction.commit());
        return known;
    }

    std::unique_ptr<SyncJournal> openJournal(const char *owner)
    {
        return must(SyncJournal::open(path, account.id, QLatin1String(owner), clock, random));
    }

    ClientEntryId add(qint64 value) { return must(store->addEntry(fieldsWith(value))); }

    /// As an editor does that was opened just now.
    Result<void> edit(const ClientEntryId &id, const EntryFields &fields)
    {
        const Entry now = must(store->entry(id));
        return store->editEntry(
            {id, now.fields, now.server ? std::optional(now.server->version) : std::nullopt, fields});
    }

    Lease lease()
    {
        const auto leases = must(journal->lease(1, AttemptTrigger::NewOperation)).leases;
        if (leases.isEmpty())
            qFatal("nothing is ready");
        return leases.first();
    }

    ChangedEntries confirm(const Lease &lease, const ServerState &server)
    {
        return must(journal->recordConfirmed(lease, attemptEnd(AttemptResult::Confirmed), server));
    }

    /// An entry that the server has in version 1.
    ClientEntryId synced(qint64 value)
    {
        const ClientEntryId id = add(value);
        confirm(lease(), serverHas(1, fieldsWith(value)));
        return id;
    }

    /// The states of the entry's operations, in the order of intents: `C:done U:pending`.
    QString operations(const ClientEntryId &id) const
    {
        QStringList words;
        for (const Operation &operation : must(store->operations(id)))
            words.append(QString(QLatin1Char(name(operation.type)[0].toLatin1())) + QLatin1Char(':') +
                         name(operation.state));
        return words.join(QLatin1Char(' '));
    }

    Operation lastOperation(const ClientEntryId &id) const { return must(store->operations(id)).last(); }

    QList<PastEntry> history(const ClientEntryId &id) const { return historyOf(*connection, account.id, id); }

    /// Whatever was known before.
    void setWaits(const AccountWaits &waits)
    {
        if (!must(journal->setWaits(must(journal->waits()), waits)))
            qFatal("the waits changed meanwhile");
    }

    /// What `verify` has to say; empty where all holds.
    QString audited() const
    {
        QStringList words;
        for (const Finding &finding : must(audit(*connection)).findings)
            words.append(QString::number(finding.invariant) + QLatin1String(": ") + finding.detail);
        return words.join(QLatin1Char('\n'));
    }

    qint64 number(const QString &sql) const
    {
        return must(selectFirst(*connection, sql, readNumber)).value_or(-1);
    }

    QTemporaryDir folder;
    QString path;
    FakeClock clock;
    SeededRandom random{20260113};
    std::unique_ptr<Connection> connection;
    Account account;
    std::unique_ptr<AccountStore> store;
    std::unique_ptr<SyncJournal> journal;
};

} // namespace daybook
