#include "sync/client/syncservice.h"

#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/connection.h"
#include "models/store/transaction.h"
#include "tests/support/memorytokenstore.h"
#include "tests/support/scriptedserver.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace daybook;
using Reach = SyncFacts::Connection;

namespace {

const ScriptedServer::Step silence;
const ScriptedServer::Step page{
    ScriptedServer::reply(200, "<html>Sign in</html>", "Content-Type: text/html\r\n")};

} // namespace

/// The service with its thread, real timers and real sockets.
class tst_SyncService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup()
    {
        m_store.reset();
        m_folder.reset();
    }

    void signalsComeInTheOwnersThread()
    {
        ScriptedServer server({page});
        const ClientEntryId id = addEntry(server);
        SyncService service(configuration());
        QSignalSpy idle(&service, &SyncService::idle);
        QList<ClientEntryId> changed;
        connect(&service, &SyncService::entriesChanged, this, [&](const QList<ClientEntryId> &ids) {
            QCOMPARE(QThread::currentThread(), thread());
            changed += ids;
        });
        connect(&service, &SyncService::factsChanged, this, [&](const SyncFacts &facts) {
            QCOMPARE(QThread::currentThread(), thread());
            QCOMPARE(facts, service.facts());
        });
        service.start();
        QTRY_COMPARE(idle.count(), 1);
        QCOMPARE(changed, QList({id, id})); // sending, then waiting for confirmation
        QCOMPARE(service.facts().connection, Reach::NotResponding);
        QCOMPARE(m_store->entry(id).value().sync.state, SyncState::AwaitingReply);
    }

    void aClosedPortIsNotReachable()
    {
        ScriptedServer server({silence});
        const ClientEntryId id = addEntry(server);
        server.stopListening();
        SyncService service(configuration());
        QSignalSpy idle(&service, &SyncService::idle);
        service.start();
        service.syncNow();
        QTRY_COMPARE(idle.count(), 1);
        QCOMPARE(service.facts().connection, Reach::NotReachable);
        QVERIFY(service.facts().nextAttemptAt.has_value());
        QCOMPARE(m_store->entry(id).value().sync.state, SyncState::Waiting);
    }

    void stoppingDoesNotWaitForTheNetwork()
    {
        ScriptedServer server({silence});
        const ClientEntryId id = addEntry(server);
        SyncService service(configuration());
        QSignalSpy stopped(&service, &SyncService::stopped);
        service.start();
        QTRY_COMPARE(server.requests().size(), 1);
        QElapsedTimer time;
        time.start();
        service.stop();
        service.syncNow(); // too late, and harmless
        QTRY_COMPARE(stopped.count(), 1);
        QVERIFY(time.elapsed() < 3000);
        QCOMPARE(m_store->operations(id).value().last().state, OperationState::Pending);
        QTRY_COMPARE(server.openConnections(), 0);
    }

    void destroyingItStopsIt()
    {
        ScriptedServer server({silence});
        const ClientEntryId id = addEntry(server);
        {
            SyncService service(configuration());
            service.start();
            QTRY_COMPARE(server.requests().size(), 1);
        }
        QCOMPARE(m_store->operations(id).value().last().state, OperationState::Pending);
    }

    void itMayEndBeforeItBegan()
    {
        ScriptedServer server({silence});
        addEntry(server);
        SyncService neverStarted(configuration());
        QSignalSpy stopped(&neverStarted, &SyncService::stopped);
        neverStarted.stop();
        QTRY_COMPARE(stopped.count(), 1);
        for (int i = 0; i < 20; ++i) {
            SyncService startedAndGone(configuration());
            startedAndGone.start();
        }
        QCOMPARE(m_store->queueSummary().value().waiting(), 1);
    }

    void offlineFromTheFirstMomentOn()
    {
        ScriptedServer server({page});
        addEntry(server);
        SyncService service(configuration());
        QSignalSpy idle(&service, &SyncService::idle);
        service.setWorkingOffline(true);
        service.start();
        QTRY_VERIFY(idle.count() > 0);
        QCOMPARE(service.facts().connection, Reach::WorkingOffline);
        QVERIFY(server.requests().isEmpty());
        service.setWorkingOffline(false);
        QTRY_COMPARE(server.requests().size(), 1);
    }

    void faultsComeAndGoWhileItRuns()
    {
        ScriptedServer server({page});
        addEntry(server);
        SyncService::Configuration faulty = configuration();
        faulty.faults = {Fault::fromText(QStringLiteral("status=422")).value()};
        SyncService service(faulty);
        QSignalSpy idle(&service, &SyncService::idle);
        service.start();
        QTRY_COMPARE(m_store->queueSummary().value().permanentFailed, 1);
        QVERIFY(server.requests().isEmpty());
        service.setFaults({});
        QVERIFY(m_store->retryChange(onlyOperation().entryId));
        service.wake(AttemptTrigger::Manual);
        QTRY_COMPARE(server.requests().size(), 1);
    }

    void aStoreThatCannotBeOpenedIsTold()
    {
        ScriptedServer server({page});
        addEntry(server);
        SyncService::Configuration elsewhere = configuration();
        elsewhere.databasePath = m_folder->filePath(QStringLiteral("daybook.sqlite/impossible.sqlite"));
        SyncService service(elsewhere);
        QSignalSpy failed(&service, &SyncService::storeFailed);
        QSignalSpy idle(&service, &SyncService::idle);
        service.start();
        QTRY_COMPARE(idle.count(), 1);
        QCOMPARE(failed.count(), 1);
        QCOMPARE(service.facts().connection, Reach::Paused);
        service.syncNow();
        QTRY_COMPARE(failed.count(), 2);
    }

    void aStoreThatCannotBeOpenedIsTriedAgain()
    {
        ScriptedServer server({page});
        addEntry(server);
        m_store.reset();
        SyncService::Configuration broken = configuration();
        broken.databasePath = m_folder->filePath(QStringLiteral("broken.sqlite"));
        broken.reopenAfter = Milliseconds(20);
        QFile file(broken.databasePath);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.write(QByteArray(8192, 'x')) > 0);
        file.close();
        SyncService service(broken);
        QSignalSpy failed(&service, &SyncService::storeFailed);
        service.start();
        QTRY_VERIFY(failed.count() >= 2);
        std::filesystem::rename(path().toStdString(), broken.databasePath.toStdString());
        QTRY_COMPARE(server.requests().size(), 1);
    }

private:
    QString path() const { return m_folder->filePath(QStringLiteral("daybook.sqlite")); }

    ClientEntryId addEntry(const ScriptedServer &server)
    {
        const auto connection = Connection::open(path()).value();
        auto transaction = Transaction::begin(*connection).value();
        Account ann;
        ann.serverOrigin = server.url(QString()).toString();
        ann.serverAccountId = QStringLiteral("acc");
        ann.username = QStringLiteral("ann");
        ann.signedIn = true;
        m_account = AccountRepository(*connection).signIn(transaction, ann).value().id;
        if (!transaction.commit())
            qFatal("the account cannot be made");
        m_store = AccountStore::open(path(), m_account, m_clock, m_random).value();
        EntryFields fields;
        fields.recordedAt.instant = m_clock.now();
        return m_store->addEntry(fields).value();
    }

    SyncService::Configuration configuration() const
    {
        const auto place = std::make_shared<MemoryTokenStore::Place>();
        place->tokens = {QStringLiteral("access"), QStringLiteral("refresh")};
        return {path(), m_account, [place] { return std::make_unique<MemoryTokenStore>(place); }, {}};
    }

    Operation onlyOperation() const
    {
        return m_store->operations(m_store->entriesFrom({}, 0, 1).value().first().id).value().last();
    }

    SystemClock m_clock;
    SystemRandom m_random;
    std::unique_ptr<QTemporaryDir> m_folder;
    AccountId m_account;
    std::unique_ptr<AccountStore> m_store;
};

QTEST_GUILESS_MAIN(tst_SyncService)
#include "tst_syncservice.moc"
