#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "models/store/accountstore.h"
#include "models/store/connection.h"
#include "models/store/payload.h"
#include "tests/bench/capistore.h"
#include "tests/bench/filling.h"
#include "tests/bench/measures.h"
#include "tests/bench/samples.h"

namespace daybook {

namespace {

constexpr double saveGoal = 1.25;
constexpr double worstSaveMilliseconds = 16; ///< one frame

Result<Account> makeStore(const QString &databasePath)
{
    const auto connection = Connection::open(databasePath);
    return connection ? measuredAccount(**connection) : connection.error();
}

} // namespace

/// One by one in turns, so that whatever else the disk does meets both alike.
Result<QList<TableRow>> measureSaves(const QDir &folder, const Scale &scale)
{
    SystemClock clock;
    SystemRandom random;
    const QString path = folder.filePath(QStringLiteral("saves.sqlite"));
    const QString baselinePath = folder.filePath(QStringLiteral("saves-baseline.sqlite"));
    const auto account = makeStore(path);
    const auto baselineAccount = makeStore(baselinePath);
    if (!account || !baselineAccount)
        return account ? baselineAccount.error() : account.error();
    const auto store = AccountStore::open(path, account->id, clock, random);
    if (!store)
        return store.error();
    const auto baseline = CApiStore::open(baselinePath, baselineAccount->id);
    if (!baseline)
        return baseline.error();

    Durations saves;
    Durations baselineSaves;
    QElapsedTimer timer;
    for (int number = 0; number < scale.saves; ++number) {
        const EntryFields fields = sampleFields(number, clock.now());
        const Operation operation = makeOperation(OperationType::CreateEntry, ClientEntryId::random(random),
                                                  &fields, std::nullopt, std::nullopt, random, clock.now());
        timer.start();
        if (const auto added = (*baseline)->addEntry(fields, operation); !added)
            return added.error();
        baselineSaves.add(millisecondsOf(timer));
        timer.start();
        if (const auto added = (*store)->addEntry(fields); !added)
            return added.error();
        saves.add(millisecondsOf(timer));
    }
    const QString p1 = QStringLiteral("P1");
    const QString unit = QStringLiteral("ms");
    return QList<TableRow>{
        {p1, QStringLiteral("save an entry and its operation, against the C API"), unit, saves.median(),
         saves.percentile(99), baselineSaves.median(), saveGoal},
        {p1, QStringLiteral("the slowest hundredth of saves, against one frame"), unit, saves.percentile(99),
         saves.percentile(99), worstSaveMilliseconds, 1},
    };
}

} // namespace daybook
