#include "sync/client/syncworker.h"

#include "tests/support/syncworld.h"

#include <QSet>
#include <QSignalSpy>
#include <QSqlQuery>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;
using End = TransportReply::End;
using Reach = SyncFacts::Connection;

/// What the worker does with answers. What it does with time is in tst_syncworkertime.
class tst_SyncWorker : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<SyncWorld>(); }
    void cleanup()
    {
        m_world->worker.reset();
        QVERIFY(m_world->isSound());
        m_world.reset();
    }

    void sendsWhatWaits()
    {
        const auto ids = m_world->add(3);
        m_world->start();
        QSignalSpy changes(m_world->worker.get(), &SyncWorker::entriesChanged);
        QVERIFY(m_world->facts.busy);
        m_world->serve();
        for (const ClientEntryId &id : ids) {
            QCOMPARE(m_world->badge(id), SyncState::Synced);
            QCOMPARE(m_world->sentCount(id), 1);
            QVERIFY(std::any_of(changes.begin(), changes.end(), [&id](const auto &signal) {
                return signal.first().template value<QList<ClientEntryId>>().contains(id);
            }));
        }
        QCOMPARE(m_world->facts.connection, Reach::Online);
        QVERIFY(!m_world->facts.busy);
        QCOMPARE(m_world->facts.lastSyncedAt, std::optional(m_world->clock.now()));
        QCOMPARE(m_world->facts.nextAttemptAt, std::nullopt);
        QCOMPARE(m_world->facts.lastErrorCode, QString());
        QTRY_COMPARE(m_world->idleCount, 1);
        QVERIFY(!m_world->wakeup->pending());
    }

    void anEmptyQueueIsIdleAndQuiet()
    {
        m_world->start();
        QCOMPARE(m_world->transport->count(), size_t(0));
        QTRY_COMPARE(m_world->idleCount, 1);
        QVERIFY(!m_world->wakeup->pending());
        QCOMPARE(m_world->facts.lastSyncedAt, std::nullopt);
    }

    void firstOneAloneThenSixAtOnce()
    {
        m_world->add(20);
        m_world->start();
        QCOMPARE(m_world->transport->openCount(), size_t(1));
        m_world->transport->answer(0, m_world->server.entries(m_world->transport->request(0)));
        QCOMPARE(m_world->transport->openCount(), size_t(6));
        QCOMPARE(m_world->summary().sending, 6);
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 20);
        QCOMPARE(m_world->highestOpenCount(), 6);
        QCOMPARE(m_world->transport->count(), size_t(20));
    }

    /// R-01.
    void aLostReplyIsReplayedWithTheSameKeyAndBody_data()
    {
        QTest::addColumn<int>("lostOne");
        QTest::newRow("the first") << 0;
        QTest::newRow("the third") << 2;
    }
    void aLostReplyIsReplayedWithTheSameKeyAndBody()
    {
        QFETCH(int, lostOne);
        const auto ids = m_world->add(5);
        const QByteArray key = m_world->operation(ids[lostOne]).id.toString().toLatin1();
        int losses = 1;
        m_world->answerEntries = [&](const TransportRequest &request) {
            const TransportReply reply = m_world->server.entries(request);
            const bool isLost = headerOf(request, header::idempotencyKey) == key && losses-- > 0;
            return isLost ? replyEnding(End::NoReply) : reply;
        };
        m_world->start();
        m_world->serve();
        for (const ClientEntryId &id : ids) {
            QCOMPARE(m_world->badge(id), id == ids[lostOne] ? SyncState::AwaitingReply : SyncState::Synced);
        }
        m_world->run(2s);

        QCOMPARE(m_world->server.executedCount(), 5);
        QCOMPARE(m_world->transport->count(), size_t(6));
        QCOMPARE(m_world->sentCount(ids[lostOne]), 2);
        const auto attempts = m_world->attempts(ids[lostOne]);
        QCOMPARE(attempts.size(), 2);
        QCOMPARE(*attempts[0].result, AttemptResult::Unknown);
        QCOMPARE(*attempts[1].result, AttemptResult::Confirmed);
        QVERIFY(attempts[1].replayed);
        QCOMPARE(m_world->badge(ids[lostOne]), SyncState::Synced);
    }

    /// R-06.
    void aRefusedEntryHoldsNobody()
    {
        const auto ids = m_world->add(10);
        const QByteArray third = m_world->operation(ids[2]).id.toString().toLatin1();
        const QByteArray sixth = m_world->operation(ids[5]).id.toString().toLatin1();
        m_world->answerEntries = [&](const TransportRequest &request) {
            const QByteArray key = headerOf(request, header::idempotencyKey);
            return key == third   ? problemReply(422, "VALIDATION_FAILED")
                   : key == sixth ? problemReply(413, "PAYLOAD_TOO_LARGE")
                                  : m_world->server.entries(request);
        };
        m_world->start();
        m_world->run(1h);
        QCOMPARE(m_world->server.executedCount(), 8);
        QCOMPARE(m_world->transport->count(), size_t(10));
        QCOMPARE(m_world->badge(ids[2]), SyncState::NeedsAttention);
        QCOMPARE(m_world->operation(ids[2]).lastErrorCode, QStringLiteral("VALIDATION_FAILED"));
        QCOMPARE(m_world->badge(ids[5]), SyncState::NeedsAttention);
        QCOMPARE(m_world->wakeup->fired(), 0);
    }

    /// R-07, also behind a redirect.
    void aSignInPageConfirmsNothing()
    {
        const auto ids = m_world->add(8);
        int page = 0;
        m_world->answerEntries = [&](const TransportRequest &) {
            return ++page % 2 ? foreignReply(200, "<html>Sign in</html>", {{"Content-Type", "text/html"}})
                              : foreignReply(302, {}, {{"Location", "http://portal.example/"}});
        };
        m_world->start();
        m_world->run(5min);
        QVERIFY(m_world->transport->count() < 20);
        QCOMPARE(m_world->facts.connection, Reach::NotResponding);
        for (const ClientEntryId &id : ids)
            QVERIFY(isUnsynced(m_world->badge(id)));

        m_world->answerEntries = [&](const TransportRequest &request) {
            return m_world->server.entries(request);
        };
        m_world->run(10min);
        QCOMPARE(m_world->server.executedCount(), 8);
        for (const ClientEntryId &id : ids)
            QCOMPARE(m_world->badge(id), SyncState::Synced);
        QCOMPARE(m_world->facts.connection, Reach::Online);
    }

    /// R-17: the session ends at the seventh of twenty.
    void anExpiredSessionIsRefreshedOnceForAll()
    {
        const auto ids = m_world->add(20);
        int answered = 0;
        m_world->answerEntries = [&](const TransportRequest &request) {
            if (++answered == 7)
                m_world->server.accessToken = QStringLiteral("token-of-later");
            return m_world->server.entries(request);
        };
        m_world->start();
        m_world->serve();
        QCOMPARE(m_world->server.refreshCount(), 1);
        QCOMPARE(m_world->server.executedCount(), 20);
        for (const ClientEntryId &id : ids) {
            QCOMPARE(m_world->badge(id), SyncState::Synced);
            for (const Attempt &attempt : m_world->attempts(id))
                QVERIFY(attempt.charged == (*attempt.result == AttemptResult::Confirmed));
        }
        QCOMPARE(m_world->tokens->stored, 1);
    }

    /// R-17 and R-18: nothing more is sent until somebody signs in again.
    void aRefusedRefreshWaitsForThePerson()
    {
        m_world->add(5);
        m_world->server.accessToken = QStringLiteral("token-of-later");
        m_world->server.refreshes = false;
        m_world->start();
        m_world->run(1h);
        QCOMPARE(m_world->facts.connection, Reach::SignInNeeded);
        QCOMPARE(m_world->server.refreshCount(), 1);
        QCOMPARE(m_world->transport->count(), size_t(1));
        QCOMPARE(m_world->summary().pending, 5);
        QVERIFY(!m_world->wakeup->pending());
        m_world->worker->syncNow();
        m_world->worker->wake(AttemptTrigger::NewOperation);
        m_world->serve();
        QCOMPARE(m_world->transport->count(), size_t(1));

        m_world->tokens->tokens = {QStringLiteral("token-of-later"), QStringLiteral("refresh-9")};
        m_world->worker->sessionRenewed();
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 5);
        QCOMPARE(m_world->facts.connection, Reach::Online);
    }

    void aTokenRefusedFreshFromItsRefreshEndsTheSession()
    {
        m_world->add(1);
        m_world->answerEntries = [](const TransportRequest &) { return problemReply(401, "TOKEN_EXPIRED"); };
        m_world->start();
        m_world->run(1h);
        QCOMPARE(m_world->facts.connection, Reach::SignInNeeded);
        QCOMPARE(m_world->transport->count(), size_t(2));
        QCOMPARE(m_world->server.refreshCount(), 1);
        QCOMPARE(m_world->summary().pending, 1);
    }

    void withoutTokensNothingIsSent()
    {
        m_world->tokens->tokens.reset();
        m_world->add(2);
        m_world->start();
        QCOMPARE(m_world->facts.connection, Reach::SignInNeeded);
        QTRY_COMPARE(m_world->idleCount, 1);
        QCOMPARE(m_world->transport->count(), size_t(0));
        QCOMPARE(m_world->operation(m_world->store->entriesFrom({}, 0, 1).value().first().id).attemptCount,
                 0);
    }

    void anotherAccountsSessionPauses()
    {
        m_world->add(3);
        m_world->answerEntries = [](const TransportRequest &) {
            return problemReply(403, "ACCOUNT_MISMATCH");
        };
        m_world->start();
        m_world->run(1h);
        QCOMPARE(m_world->facts.connection, Reach::Paused);
        QCOMPARE(m_world->transport->count(), size_t(1));
        QCOMPARE(m_world->summary().pending, 3);
    }

    /// The server executed it long ago and forgot its answer.
    void anExpiredResultIsReadAndReconciled_data()
    {
        QTest::addColumn<bool>("deletedSince");
        QTest::newRow("there") << false;
        QTest::newRow("deleted since") << true;
    }
    void anExpiredResultIsReadAndReconciled()
    {
        QFETCH(bool, deletedSince);
        const auto ids = m_world->add(1);
        m_world->start();
        m_world->transport->answer(0, problemReply(410, "OPERATION_RESULT_EXPIRED"));
        QCOMPARE(m_world->transport->count(), size_t(2));
        const TransportRequest read = m_world->transport->last();
        QCOMPARE(read.method, QByteArray("GET"));
        QVERIFY(read.url.path().endsWith(ids[0].toString()));
        QCOMPARE(m_world->badge(ids[0]), SyncState::Sending);

        EntryResource entry;
        entry.entryId = QStringLiteral("server-1");
        entry.clientEntryId = ids[0];
        entry.version = 3;
        m_world->transport->answerLast(
            deletedSince
                ? problemReply(410, "ENTRY_DELETED", {}, R"(,"current":{"version":3,"deleted":true})")
                : ownReply(200, encodeEntry(entry), {{"ETag", "\"3\""}}));
        QCOMPARE(m_world->summary().unfinished(), 0);
        const auto left = m_world->store->entriesFrom({}, 0, 9).value();
        QCOMPARE(left.size(), deletedSince ? 0 : 1);
        if (!deletedSince)
            QCOMPARE(left.first().server->version, 3);
    }

    void aRefusedReadingIsNoVerdictOnTheOperation()
    {
        const auto ids = m_world->add(1);
        m_world->start();
        m_world->transport->answer(0, problemReply(410, "OPERATION_RESULT_EXPIRED"));
        m_world->transport->answerLast(problemReply(403, "FORBIDDEN"));
        QCOMPARE(m_world->operation(ids[0]).state, OperationState::RetryWaiting);
        QVERIFY(m_world->wakeup->pending());
    }

    /// R-03: five clicks, timer, network change and new work together.
    void noOperationIsEverTwiceUnderWay()
    {
        m_world->add(30);
        m_world->start();
        for (int i = 0; i < 5; ++i)
            m_world->worker->syncNow();
        m_world->wakeup->fire();
        m_world->worker->wake(AttemptTrigger::Reconnected);
        m_world->worker->wake(AttemptTrigger::NewOperation);
        m_world->wakeup->fire();
        m_world->worker->syncNow();
        m_world->serve();
        QSet<QByteArray> keys;
        for (size_t i = 0; i < m_world->transport->count(); ++i)
            keys.insert(m_world->key(i));
        QCOMPARE(keys.size(), 30);
        QCOMPARE(m_world->transport->count(), size_t(30));
        QVERIFY(m_world->highestOpenCount() <= 6);
    }

    void stoppingGivesBackWhatIsUnderWay()
    {
        const auto ids = m_world->add(8);
        m_world->start();
        m_world->transport->answer(0, m_world->server.entries(m_world->transport->request(0)));
        for (size_t i = 1; i < 7; ++i) // executed, but the answers come too late
            (void)m_world->server.entries(m_world->transport->request(i));
        m_world->worker->stop();
        QCOMPARE(m_world->transport->openCount(), size_t(0));
        QCOMPARE(m_world->summary().sending, 0);
        QCOMPARE(m_world->summary().pending, 7);
        QCOMPARE(*m_world->attempts(ids[1]).last().result, AttemptResult::Aborted);
        m_world->worker->syncNow();
        m_world->worker->wake(AttemptTrigger::Nudge);
        QCOMPARE(m_world->transport->count(), size_t(7));

        m_world->start();
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 8);
        QCOMPARE(m_world->summary().unfinished(), 0);
    }

    void workingOfflineSendsNothing()
    {
        const auto ids = m_world->add(3);
        m_world->start();
        m_world->worker->setWorkingOffline(true);
        QCOMPARE(m_world->transport->openCount(), size_t(0));
        QCOMPARE(m_world->facts.connection, Reach::WorkingOffline);
        QCOMPARE(m_world->badge(ids[0]), SyncState::AwaitingReply);
        QVERIFY(!m_world->wakeup->pending());
        m_world->add(1);
        m_world->worker->wake(AttemptTrigger::NewOperation);
        m_world->worker->syncNow();
        m_world->run(1h);
        QCOMPARE(m_world->transport->count(), size_t(1));

        m_world->worker->setWorkingOffline(false);
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 4);
        QCOMPARE(m_world->facts.connection, Reach::Online);
    }

    /// A local failure after the server's yes is not a failed attempt: the lease ends and the server replays.
    void aStoreThatFailsAfterTheReplyLosesNothing()
    {
        const auto ids = m_world->add(1);
        m_world->start();
        QSignalSpy failures(m_world->worker.get(), &SyncWorker::storeFailed);
        const auto spoiler = Connection::open(m_world->path()).value();
        const auto rename = [&spoiler](const char *from, const char *to) {
            QSqlQuery query(spoiler->database());
            QVERIFY(query.exec(
                QStringLiteral("ALTER TABLE %1 RENAME TO %2").arg(QLatin1String(from), QLatin1String(to))));
        };
        rename("operation_attempts", "hidden");
        m_world->serve();
        rename("hidden", "operation_attempts");
        QCOMPARE(failures.count(), 1);
        QCOMPARE(m_world->facts.connection, Reach::Paused);
        QCOMPARE(m_world->operation(ids[0]).state, OperationState::Sending);

        m_world->run(3min);
        QCOMPARE(m_world->badge(ids[0]), SyncState::Synced);
        QCOMPARE(m_world->server.executedCount(), 1);
        QCOMPARE(m_world->sentCount(ids[0]), 2);
        QCOMPARE(*m_world->attempts(ids[0]).first().result, AttemptResult::LeaseExpired);
    }

private:
    std::unique_ptr<SyncWorld> m_world;
};

QTEST_GUILESS_MAIN(tst_SyncWorker)
#include "tst_syncworker.moc"
