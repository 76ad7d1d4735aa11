#include "models/store/connection.h"
#include "models/store/migrations.h"
#include "models/store/statement.h"
#include "models/store/transaction.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <thread>

using namespace daybook;

namespace {

constexpr auto ownerOnly = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;

QString pragma(Connection &connection, const char *name)
{
    const auto found = selectFirst(connection, QStringLiteral("PRAGMA ") + QLatin1String(name), readText);
    return found.ok() ? found->value_or(QString()) : found.error().detail;
}

QByteArray contents(const QString &path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void overwrite(const QString &path, const QByteArray &bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

} // namespace

class TestConnection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = m_folder->filePath(QStringLiteral("data/daybook.sqlite"));
    }

    void settings()
    {
        const auto connection = Connection::open(m_path);
        QVERIFY2(connection.ok(), qPrintable(connection.ok() ? QString() : connection.error().detail));
        QCOMPARE(pragma(**connection, "journal_mode"), QStringLiteral("wal"));
        QCOMPARE(pragma(**connection, "synchronous"), QStringLiteral("2"));
        QCOMPARE(pragma(**connection, "foreign_keys"), QStringLiteral("1"));
        QCOMPARE(pragma(**connection, "busy_timeout"), QStringLiteral("5000"));
        QCOMPARE(pragma(**connection, "user_version"), QString::number(latestSchemaVersion()));
        QCOMPARE(pragma(**connection, "application_id"), QString::number(storeApplicationId));
        QCOMPARE(pragma(**connection, "integrity_check"), QStringLiteral("ok"));
    }

    void isPrivateToTheUser()
    {
        const auto connection = Connection::open(m_path);
        QVERIFY(connection.ok());
        QVERIFY(change(**connection, QStringLiteral("INSERT INTO meta VALUES ('a', 'b')")).ok());
        QCOMPARE(QFileInfo(m_folder->filePath(QStringLiteral("data"))).permissions(),
                 ownerOnly | QFile::ExeOwner | QFile::ExeUser);
        for (const auto *suffix : {"", "-wal", "-shm"}) {
            QVERIFY(QFile::exists(m_path + QLatin1String(suffix)));
            QCOMPARE(QFile::permissions(m_path + QLatin1String(suffix)), ownerOnly);
        }
    }

    void makesAnOpenFilePrivate()
    {
        QVERIFY(Connection::open(m_path).ok());
        QVERIFY(QFile::setPermissions(m_path, ownerOnly | QFile::ReadGroup | QFile::ReadOther));
        QVERIFY(Connection::open(m_path).ok());
        QCOMPARE(QFile::permissions(m_path), ownerOnly);
    }

    void leavesTheModeOfASharedFolder()
    {
        const auto before = QFileInfo(m_folder->path()).permissions() | QFile::ExeOther | QFile::ReadOther;
        QVERIFY(QFile::setPermissions(m_folder->path(), before));
        QVERIFY(Connection::open(m_folder->filePath(QStringLiteral("here.sqlite"))).ok());
        QCOMPARE(QFileInfo(m_folder->path()).permissions(), before);
    }

    void leavesNothingElseBehind()
    {
        QVERIFY(Connection::open(m_path).ok());
        QCOMPARE(QDir(m_folder->filePath(QStringLiteral("data"))).entryList(QDir::Files),
                 QStringList(QStringLiteral("daybook.sqlite")));
    }

    void refusesWhatIsNoStore_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("emptied") << QByteArray();
        QTest::newRow("text") << QByteArray("dear diary, today was fine\n").repeated(100);
        QTest::newRow("zeros") << QByteArray(8192, '\0');
    }
    void refusesWhatIsNoStore()
    {
        QFETCH(QByteArray, bytes);
        const QString path = m_folder->filePath(QStringLiteral("other.sqlite"));
        overwrite(path, bytes);
        const auto connection = Connection::open(path);
        QVERIFY(!connection.ok());
        QCOMPARE(connection.error().kind, ErrorKind::StoreCorrupt);
        QCOMPARE(contents(path), bytes);
    }

    void refusesWhatAnotherProgramMade_data()
    {
        QTest::addColumn<QString>("pragma");
        QTest::addColumn<ErrorKind>("kind");
        QTest::newRow("newer schema") << QStringLiteral("user_version = 99") << ErrorKind::StoreTooNew;
        QTest::newRow("foreign") << QStringLiteral("application_id = 7") << ErrorKind::StoreCorrupt;
    }
    void refusesWhatAnotherProgramMade()
    {
        QFETCH(QString, pragma);
        QFETCH(ErrorKind, kind);
        {
            const auto connection = Connection::open(m_path);
            QVERIFY(connection.ok());
            QVERIFY(change(**connection, QStringLiteral("PRAGMA ") + pragma).ok());
        }
        const QByteArray before = contents(m_path);
        const auto refused = Connection::open(m_path);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().kind, kind);
        QCOMPARE(contents(m_path), before);
    }

    void tellsWhenNothingCanBeMade()
    {
        const QString file = m_folder->filePath(QStringLiteral("file"));
        overwrite(file, "x");
        const auto below = Connection::open(file + QStringLiteral("/data/daybook.sqlite"));
        QVERIFY(!below.ok());
        QCOMPARE(below.error().kind, ErrorKind::StoreUnavailable);
        const auto folder = Connection::open(m_folder->path());
        QVERIFY(!folder.ok());
        QCOMPARE(folder.error().kind, ErrorKind::StoreUnavailable);
    }

    void transactionIsUndoneUnlessCommitted()
    {
        const auto connection = Connection::open(m_path);
        QVERIFY(connection.ok());
        for (const bool commit : {false, true}) {
            auto transaction = Transaction::begin(**connection);
            QVERIFY(transaction.ok());
            QVERIFY(change(**connection, QStringLiteral("INSERT INTO meta VALUES ('a', 'b')")).ok());
            if (commit)
                QVERIFY(transaction->commit().ok());
        }
        const auto kept =
            selectAll(**connection, QStringLiteral("SELECT value FROM meta WHERE key = 'a'"), readText);
        QVERIFY(kept.ok());
        QCOMPARE(*kept, QList<QString>{QStringLiteral("b")});
    }

    void secondWriterIsToldThatTheStoreIsBusy()
    {
        const auto first = Connection::open(m_path);
        const auto second = Connection::open(m_path);
        QVERIFY(first.ok() && second.ok());
        QVERIFY(selectFirst(**second, QStringLiteral("PRAGMA busy_timeout = 20"), readNumber).ok());
        const auto holder = Transaction::begin(**first);
        QVERIFY(holder.ok());
        const auto late = Transaction::begin(**second);
        QVERIFY(!late.ok());
        QCOMPARE(late.error().kind, ErrorKind::StoreBusy);
    }

    void fullDiskIsTold()
    {
        const auto connection = Connection::open(m_path);
        QVERIFY(connection.ok());
        const qint64 pages = pragma(**connection, "page_count").toLongLong();
        QVERIFY(selectFirst(**connection, QStringLiteral("PRAGMA max_page_count = %1").arg(pages), readNumber)
                    .ok());
        const auto full = change(**connection, QStringLiteral("INSERT INTO meta VALUES ('big', ?)"),
                                 QString(100'000, QLatin1Char('x')));
        QVERIFY(!full.ok());
        QCOMPARE(full.error().kind, ErrorKind::DiskFull);
    }

    void brokenRuleIsAFaultOfTheProgram()
    {
        const auto connection = Connection::open(m_path);
        QVERIFY(connection.ok());
        const auto twice = change(**connection, QStringLiteral("INSERT INTO meta VALUES ('install_id', '')"));
        QVERIFY(!twice.ok());
        QCOMPARE(twice.error().kind, ErrorKind::Internal);
    }

    void manyMayOpenANewStoreAtOnce()
    {
        std::array<std::optional<ErrorKind>, 8> errors;
        std::vector<std::thread> threads;
        for (auto &error : errors)
            threads.emplace_back([this, &error] {
                if (const auto connection = Connection::open(m_path); !connection)
                    error = connection.error().kind;
            });
        for (std::thread &thread : threads)
            thread.join();
        for (const auto &error : errors)
            QVERIFY(!error);
        const auto connection = Connection::open(m_path);
        QVERIFY(connection.ok());
        QCOMPARE(pragma(**connection, "user_version"), QString::number(latestSchemaVersion()));
    }

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestConnection)
#include "tst_connection.moc"
