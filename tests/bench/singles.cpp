#include "tests/bench/singles.h"

#include "app/datafolder.h"
#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/connection.h"
#include "tests/bench/filling.h"
#include "tests/bench/report.h"
#include "tests/bench/samples.h"

namespace daybook {

namespace {

constexpr int firstRowCount = 50;

} // namespace

Result<QByteArray> fill(const DataFolder &folder, qint64 count)
{
    const auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return connection.error();
    const auto account = measuredAccount(**connection);
    if (!account)
        return account.error();
    const auto filled = fillEntries(**connection, account->id, count);
    if (!filled)
        return filled.error();
    return toJsonLine(count, filled->total(), *filled);
}

Result<QByteArray> save(const DataFolder &folder, qint64 count)
{
    auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return connection.error();
    const auto account = measuredAccount(**connection);
    if (!account)
        return account.error();
    connection->reset();
    SystemClock clock;
    SystemRandom random;
    const auto store = AccountStore::open(folder.databasePath(), account->id, clock, random);
    if (!store)
        return store.error();
    Durations saves;
    for (qint64 number = 0; number < count; ++number) {
        const EntryFields fields = sampleFields(static_cast<int>(number), clock.now());
        QElapsedTimer timer;
        timer.start();
        if (const auto added = (*store)->addEntry(fields); !added)
            return added.error();
        saves.add(millisecondsOf(timer));
    }
    return toJsonLine(count, saves.total(), saves);
}

Result<QByteArray> firstRows(const DataFolder &folder)
{
    QElapsedTimer timer;
    timer.start();
    auto connection = Connection::open(folder.databasePath());
    if (!connection)
        return connection.error();
    const auto account = AccountRepository(**connection).current();
    if (!account)
        return account.error();
    connection->reset();
    SystemClock clock;
    SystemRandom random;
    const auto store = AccountStore::open(folder.databasePath(), account->id, clock, random);
    if (!store)
        return store.error();
    const auto entries = (*store)->entriesAfter({}, std::nullopt, firstRowCount);
    if (!entries)
        return entries.error();
    Durations opening;
    opening.add(millisecondsOf(timer));
    return toJsonLine(entries->size(), opening.total(), opening);
}

} // namespace daybook
