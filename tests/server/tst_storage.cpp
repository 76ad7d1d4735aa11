#include "sync/server/storage.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTemporaryDir>
#include <QTest>

#include <future>

using namespace daybook;

using Outcome = Storage::Outcome;

/// Groups, savepoints, and what a failure leaves behind.
class TestStorage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();

    void aWriteIsThereWhenItIsToldOf();
    void whatArrivesTogetherIsCommittedTogether();
    void aFailedWorkLeavesItsNeighboursAlone();
    void aFailedGroupIsUndoneAsAWhole_data();
    void aFailedGroupIsUndoneAsAWhole();
    void aSpoiledTransactionDoesNothingMore();
    void aReadMayTurnIntoAWrite();
    void theEndFinishesWhatWasHandedOver();
    void aNewerDatabaseIsRefused();
    void noDatabaseIsRefused();
    void anUnusableFolderIsRefused();
    void emptyTextIsText();
    void textComesBackAsItWas_data();
    void textComesBackAsItWas();

private:
    QString path() const { return m_folder->filePath(QStringLiteral("server.sqlite")); }
    qint64 count(const QString &name) const;

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Storage> m_storage;
};

namespace {

void addSetting(Transaction &transaction, const QString &name, const QVariant &value = QStringLiteral("x"))
{
    transaction.execute("INSERT INTO meta (name, value) VALUES (?, ?)", {name, value});
}

/// Runs \p statement on a connection of its own.
QVariant runAlone(const QString &path, const QString &statement)
{
    const QString name = QStringLiteral("alone");
    QVariant value;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        if (!database.open())
            return {};
        QSqlQuery query(database);
        if (query.exec(statement) && query.next())
            value = query.value(0);
    }
    QSqlDatabase::removeDatabase(name);
    return value;
}

} // namespace

void TestStorage::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    auto opened = Storage::open(path());
    QVERIFY(opened);
    m_storage = std::move(opened).value();
}

void TestStorage::cleanup()
{
    m_storage.reset();
    m_folder.reset();
}

/// What another connection sees, so what is committed.
qint64 TestStorage::count(const QString &name) const
{
    return runAlone(path(), QStringLiteral("SELECT count(*) FROM meta WHERE name = '%1'").arg(name))
        .toLongLong();
}

void TestStorage::aWriteIsThereWhenItIsToldOf()
{
    QCOMPARE(
        m_storage->writeNow([](Transaction &transaction) { addSetting(transaction, QStringLiteral("a")); }),
        Outcome::Durable);
    QCOMPARE(count(QStringLiteral("a")), 1);
}

void TestStorage::whatArrivesTogetherIsCommittedTogether()
{
    // The first holds the writer until the others have arrived; those are one group.
    std::promise<void> arrived;
    std::promise<void> done;
    std::atomic<int> committedEarly = 0;
    std::atomic<int> unfinished = 3;
    m_storage->write({[&](Transaction &) { arrived.get_future().wait(); }, [](Outcome) {}});
    for (const auto &name : {QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")}) {
        m_storage->write({[&, name](Transaction &transaction) {
                              committedEarly += static_cast<int>(count(QStringLiteral("a")));
                              addSetting(transaction, name);
                          },
                          [&](Outcome outcome) {
                              if (outcome == Outcome::Durable && --unfinished == 0)
                                  done.set_value();
                          }});
    }
    arrived.set_value();
    done.get_future().wait();
    QCOMPARE(committedEarly.load(), 0);
    QCOMPARE(count(QStringLiteral("a")) + count(QStringLiteral("b")) + count(QStringLiteral("c")), 3);
}

void TestStorage::aFailedWorkLeavesItsNeighboursAlone()
{
    std::promise<void> arrived;
    std::promise<void> done;
    QList<Outcome> outcomes;
    const auto note = [&](Outcome outcome) {
        outcomes.append(outcome);
        if (outcomes.size() == 3)
            done.set_value();
    };
    m_storage->write({[&](Transaction &) { arrived.get_future().wait(); }, [](Outcome) {}});
    m_storage->write({[](Transaction &transaction) { addSetting(transaction, QStringLiteral("a")); }, note});
    m_storage->write({[](Transaction &transaction) {
                          addSetting(transaction, QStringLiteral("b"));
                          addSetting(transaction, QStringLiteral("a")); // violates the primary key
                      },
                      note});
    m_storage->write({[](Transaction &transaction) { addSetting(transaction, QStringLiteral("c")); }, note});
    arrived.set_value();
    done.get_future().wait();

    QCOMPARE(outcomes, (QList<Outcome>{Outcome::Durable, Outcome::Fault, Outcome::Durable}));
    QCOMPARE(count(QStringLiteral("a")), 1);
    QCOMPARE(count(QStringLiteral("b")), 0);
    QCOMPARE(count(QStringLiteral("c")), 1);
}

void TestStorage::aFailedGroupIsUndoneAsAWhole_data()
{
    QTest::addColumn<QStringList>("statements");
    QTest::newRow("COMMIT fails") << QStringList{
        QStringLiteral("PRAGMA defer_foreign_keys = ON"),
        QStringLiteral("INSERT INTO sessions (actor_id, device_name, created_at) VALUES (999, '', 0)")};
    QTest::newRow("RELEASE fails") << QStringList{QStringLiteral("ROLLBACK")}; // as SQLite does it by itself
}

void TestStorage::aFailedGroupIsUndoneAsAWhole()
{
    QFETCH(const QStringList, statements);
    QList<QByteArray> literals;
    for (const QString &statement : statements)
        literals.append(statement.toLatin1());
    std::promise<void> arrived;
    std::promise<void> done;
    QList<Outcome> outcomes;
    const auto note = [&](Outcome outcome) {
        outcomes.append(outcome);
        if (outcomes.size() == 3)
            done.set_value();
    };
    m_storage->write({[&](Transaction &) { arrived.get_future().wait(); }, [](Outcome) {}});
    m_storage->write({[](Transaction &transaction) { addSetting(transaction, QStringLiteral("a")); }, note});
    m_storage->write({[&](Transaction &transaction) {
                          for (const QByteArray &literal : literals)
                              transaction.execute(literal.constData());
                      },
                      note});
    m_storage->write({[](Transaction &transaction) { addSetting(transaction, QStringLiteral("b")); }, note});
    arrived.set_value();
    done.get_future().wait();

    QCOMPARE(outcomes, QList<Outcome>(3, Outcome::Unavailable));
    for (const auto &name : {QStringLiteral("a"), QStringLiteral("b")}) {
        QCOMPARE(count(name), 0);
        const auto again = [name](Transaction &transaction) { addSetting(transaction, name); };
        QCOMPARE(m_storage->writeNow(again), Outcome::Durable);
        QCOMPARE(count(name), 1);
    }
}

void TestStorage::aSpoiledTransactionDoesNothingMore()
{
    bool found = true;
    bool changed = true;
    const Outcome outcome = m_storage->writeNow([&](Transaction &transaction) {
        transaction.execute("SELECT nonsense FROM nowhere");
        found = transaction.execute("SELECT value FROM meta WHERE name = 'epoch'").next();
        changed = transaction.execute("INSERT INTO meta VALUES ('a', 'x')").changedSomething();
    });
    QCOMPARE(outcome, Outcome::Fault);
    QVERIFY(!found);
    QVERIFY(!changed);
    QCOMPARE(count(QStringLiteral("a")), 0);
}

void TestStorage::aReadMayTurnIntoAWrite()
{
    int runs = 0;
    const Outcome outcome = m_storage->readNow([&](Transaction &transaction) {
        ++runs;
        if (transaction.mayWrite())
            addSetting(transaction, QStringLiteral("a"));
        else
            transaction.repeatAsWrite();
    });
    QCOMPARE(outcome, Outcome::Durable);
    QCOMPARE(runs, 2);
    QCOMPARE(count(QStringLiteral("a")), 1);
}

void TestStorage::theEndFinishesWhatWasHandedOver()
{
    std::atomic<int> finished = 0;
    for (int i = 0; i < 50; ++i) {
        m_storage->write({[](Transaction &) {}, [&](Outcome) { ++finished; }});
        m_storage->read({[](Transaction &transaction) {
                             if (!transaction.mayWrite())
                                 transaction.repeatAsWrite();
                         },
                         [&](Outcome) { ++finished; }});
    }
    m_storage.reset();
    QCOMPARE(finished.load(), 100);
}

void TestStorage::aNewerDatabaseIsRefused()
{
    m_storage.reset();
    runAlone(path(), QStringLiteral("PRAGMA user_version = 1000"));
    const auto opened = Storage::open(path());
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, ErrorKind::StoreTooNew);
    QCOMPARE(runAlone(path(), QStringLiteral("PRAGMA user_version")).toInt(), 1000);
}

void TestStorage::noDatabaseIsRefused()
{
    const QString other = m_folder->filePath(QStringLiteral("letter.txt"));
    const QByteArray letter = QByteArray("Dear reader, this is no database. ").repeated(100);
    QFile file(other);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(letter);
    file.close();

    const auto opened = Storage::open(other);
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, ErrorKind::StoreCorrupt);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QCOMPARE(file.readAll(), letter);
}

void TestStorage::anUnusableFolderIsRefused()
{
    const auto opened = Storage::open(path() + QStringLiteral("/below/a/file"));
    QVERIFY(!opened);
    QCOMPARE(opened.error().kind, ErrorKind::StoreUnavailable);
}

void TestStorage::emptyTextIsText()
{
    const Outcome outcome = m_storage->writeNow(
        [](Transaction &transaction) { addSetting(transaction, QStringLiteral("a"), QString()); });
    QCOMPARE(outcome, Outcome::Durable); // the column refuses NULL
}

void TestStorage::textComesBackAsItWas_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("like a byte order mark") << QStringLiteral("\uFEFFab") << QStringLiteral("\uFEFFab");
    QTest::newRow("like two of them") << QStringLiteral("\uFEFF\uFEFFab") << QStringLiteral("\uFEFF\uFEFFab");
    QTest::newRow("a noncharacter, which SQLite replaces")
        << QChar(0xFFFE) + QStringLiteral("ab") << QStringLiteral("\uFFFDab");
}

void TestStorage::textComesBackAsItWas()
{
    QFETCH(const QString, text);
    QFETCH(const QString, expected);
    QString found;
    const Outcome outcome = m_storage->writeNow([&](Transaction &transaction) {
        addSetting(transaction, QStringLiteral("a"), text);
        Rows rows = transaction.execute("SELECT value FROM meta WHERE name = 'a'");
        if (rows.next())
            found = rows.text(0);
    });
    QCOMPARE(outcome, Outcome::Durable);
    QCOMPARE(found, expected);
}

QTEST_GUILESS_MAIN(TestStorage)
#include "tst_storage.moc"
