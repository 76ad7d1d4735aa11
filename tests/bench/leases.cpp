#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "models/store/accountstore.h"
#include "models/store/connection.h"
#include "models/store/syncjournal.h"
#include "tests/bench/filling.h"
#include "tests/bench/measures.h"
#include "tests/bench/samples.h"

#include <QFile>

namespace daybook {

namespace {

constexpr double growthGoal = 1.5;

/// A store whose oldest operation is ready, and behind it \p count others in \p state.
Result<std::unique_ptr<SyncJournal>> makeQueue(const QString &path, qint64 count, OperationState state,
                                               Clock &clock, Random &random)
{
    auto connection = Connection::open(path);
    if (!connection)
        return connection.error();
    const auto account = measuredAccount(**connection);
    if (!account)
        return account.error();
    const auto store = AccountStore::open(path, account->id, clock, random);
    if (!store)
        return store.error();
    if (const auto added = (*store)->addEntry(sampleFields(0, clock.now())); !added)
        return added.error();
    if (const auto filled = fillOperations(**connection, account->id, count, state); !filled)
        return filled.error();
    return SyncJournal::open(path, account->id, QStringLiteral("bench"), clock, random);
}

/// Takes a lease, adds how long that took, and gives it back.
Result<void> takeOne(SyncJournal &journal, Durations &durations)
{
    QElapsedTimer timer;
    timer.start();
    const auto leased = journal.lease(1, AttemptTrigger::Scheduled);
    durations.add(millisecondsOf(timer));
    if (!leased)
        return leased.error();
    if (leased->leases.size() != 1)
        return Error{ErrorKind::Internal, QStringLiteral("nothing was ready")};
    AttemptEnd end;
    end.result = AttemptResult::NotReachable;
    end.charged = false;
    const auto recorded = journal.recordUncharged(leased->leases.first(), end);
    return recorded ? Result<void>() : recorded.error();
}

/// Leases from an empty queue and from a long one in turns.
Result<TableRow> compare(const QDir &folder, const Scale &scale, qint64 count, OperationState state)
{
    SystemClock clock;
    SystemRandom random;
    const QString path = folder.filePath(QStringLiteral("queue.sqlite"));
    const QString emptyPath = folder.filePath(QStringLiteral("queue-empty.sqlite"));
    Durations leases;
    Durations emptyLeases;
    {
        const auto journal = makeQueue(path, count, state, clock, random);
        const auto empty = makeQueue(emptyPath, 0, state, clock, random);
        if (!journal || !empty)
            return journal ? empty.error() : journal.error();
        for (int number = 0; number < scale.leases; ++number) {
            if (const auto taken = takeOne(**empty, emptyLeases); !taken)
                return taken.error();
            if (const auto taken = takeOne(**journal, leases); !taken)
                return taken.error();
        }
    }
    QFile::remove(path);
    QFile::remove(emptyPath);
    const QString work =
        QStringLiteral("take a lease among %L1 %2, against none").arg(count).arg(name(state));
    return TableRow{
        QStringLiteral("P4"), work,      QStringLiteral("ms"), leases.median(), leases.percentile(99),
        emptyLeases.median(), growthGoal};
}

} // namespace

Result<QList<TableRow>> measureLeases(const QDir &folder, const Scale &scale)
{
    QList<TableRow> rows;
    for (const OperationState state :
         {OperationState::Pending, OperationState::RetryWaiting, OperationState::Done})
        for (const qint64 count : scale.operations) {
            const auto row = compare(folder, scale, count, state);
            if (!row)
                return row.error();
            rows.append(*row);
        }
    return rows;
}

} // namespace daybook
