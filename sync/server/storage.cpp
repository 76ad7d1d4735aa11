#include "sync/server/storage.h"

#include "models/domain/logging.h"
#include "sync/server/schema.h"

#include <future>

namespace daybook {
namespace {

constexpr int readerCount = 2;
/// Bounds how long the first of a group waits for the last, and how much one COMMIT writes.
constexpr std::size_t maximumGroup = 256;

using Outcome = Storage::Outcome;

/// The thread's connection, opened when it is first needed and again as long as it could not be.
Database *connected(std::unique_ptr<Database> &database, const QString &path)
{
    if (database == nullptr) {
        auto opened = Database::open(path);
        if (opened)
            database = std::move(opened).value();
        else
            qCWarning(lcServer, "%s", qUtf8Printable(opened.error().detail));
    }
    return database.get();
}

Outcome outcomeOf(const Transaction &transaction)
{
    if (!transaction.isSpoiled())
        return Outcome::Durable;
    return transaction.isStorageOut() ? Outcome::Unavailable : Outcome::Fault;
}

/// False: the whole group's transaction is gone.
bool runInSavepoint(Database &database, const Storage::Work &work, Outcome &outcome)
{
    if (!database.run("SAVEPOINT work"))
        return false;
    Transaction transaction(database, Transaction::Access::Write);
    work.run(transaction);
    outcome = outcomeOf(transaction);
    if (outcome != Outcome::Durable && !database.run("ROLLBACK TO work"))
        return false;
    return database.run("RELEASE work");
}

bool commitTogether(Database &database, const std::vector<Storage::Work> &group,
                    std::vector<Outcome> &outcomes)
{
    if (!database.run("BEGIN IMMEDIATE"))
        return false;
    for (std::size_t i = 0; i < group.size(); ++i) {
        if (!runInSavepoint(database, group[i], outcomes[i]))
            return false;
    }
    return database.run("COMMIT");
}

} // namespace

Result<std::unique_ptr<Storage>> Storage::open(const QString &path)
{
    auto database = Database::open(path);
    if (!database)
        return database.error();
    if (const auto migrated = migrate(**database); !migrated)
        return migrated.error();
    return std::unique_ptr<Storage>(new Storage(path));
}

Storage::Storage(const QString &path) : m_path(path)
{
    for (int i = 0; i < readerCount; ++i)
        m_readers.emplace_back([this] { readAll(); });
    m_writer = std::jthread([this] { writeAll(); });
}

Storage::~Storage()
{
    m_reads.close();
    m_readers.clear(); // before the writes are closed: a read may become one
    m_writes.close();
}

void Storage::readAll()
{
    std::unique_ptr<Database> connection;
    for (auto taken = m_reads.take(1); !taken.empty(); taken = m_reads.take(1)) {
        Work &work = taken.front();
        Database *database = connected(connection, m_path);
        if (database == nullptr || !database->run("BEGIN")) {
            connection.reset();
            work.finished(Outcome::Unavailable);
            continue;
        }
        Transaction transaction(*database, Transaction::Access::Read);
        work.run(transaction);
        if (!database->run("COMMIT"))
            connection.reset();
        if (transaction.isToBeRepeatedAsWrite())
            write(std::move(work));
        else
            work.finished(outcomeOf(transaction));
    }
}

/// Nobody is told anything before the COMMIT that holds everybody's work has succeeded.
void Storage::writeAll()
{
    std::unique_ptr<Database> connection;
    for (auto group = m_writes.take(maximumGroup); !group.empty(); group = m_writes.take(maximumGroup)) {
        std::vector<Outcome> outcomes(group.size(), Outcome::Unavailable);
        Database *database = connected(connection, m_path);
        if (database == nullptr || !commitTogether(*database, group, outcomes)) {
            connection.reset(); // which undoes what was begun, whatever state it is in
            outcomes.assign(group.size(), Outcome::Unavailable);
        }
        for (std::size_t i = 0; i < group.size(); ++i)
            group[i].finished(outcomes[i]);
    }
}

Storage::Outcome Storage::readNow(std::function<void(Transaction &)> run)
{
    std::promise<Outcome> end;
    read({std::move(run), [&end](Outcome outcome) { end.set_value(outcome); }});
    return end.get_future().get();
}

Storage::Outcome Storage::writeNow(std::function<void(Transaction &)> run)
{
    std::promise<Outcome> end;
    write({std::move(run), [&end](Outcome outcome) { end.set_value(outcome); }});
    return end.get_future().get();
}

} // namespace daybook
