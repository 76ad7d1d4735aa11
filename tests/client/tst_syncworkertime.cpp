#include "sync/client/syncworker.h"

#include "tests/support/syncworld.h"

#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;
using End = TransportReply::End;
using Reach = SyncFacts::Connection;

/// When the worker tries, waits and wakes.
class tst_SyncWorkerTime : public QObject
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

    /// ten minutes without a server, then ten of a gateway that says 503.
    void itIsQuietWhileTheServerIsOut()
    {
        m_world->add(40);
        m_world->answerEntries = [](const TransportRequest &) { return replyEnding(End::NotConnected); };
        m_world->start();
        m_world->run(10min);
        QVERIFY2(m_world->transport->count() <= 20, qPrintable(QString::number(m_world->transport->count())));
        QCOMPARE(m_world->facts.connection, Reach::NotReachable);
        QVERIFY(m_world->facts.nextAttemptAt.has_value());
        QCOMPARE(m_world->summary().pending, 40);

        m_world->answerEntries = [](const TransportRequest &) { return foreignReply(503, "busy"); };
        const size_t before = m_world->transport->count();
        m_world->run(10min);
        QVERIFY(m_world->transport->count() - before <= 20);
        QVERIFY(m_world->transport->count() - before >= 1);
        QCOMPARE(m_world->facts.connection, Reach::NotResponding);

        serveNormally();
        m_world->worker->syncNow();
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 40);
        QCOMPARE(m_world->summary().unfinished(), 0);
    }

    /// starts over and over, for weeks.
    void itComesBackByItselfHoweverLongItTook()
    {
        m_world->add(10);
        m_world->answerEntries = [](const TransportRequest &) { return replyEnding(End::NotConnected); };
        for (int start = 0; start < 10; ++start) {
            m_world->start();
            QCOMPARE(m_world->transport->openCount(), size_t(1)); // one asks for all
            m_world->run(10min);
            m_world->clock.advance(72h);
        }
        m_world->start();
        m_world->run(1h);
        QCOMPARE(m_world->summary().pending, 10);
        serveNormally();
        m_world->run(5min);
        QCOMPARE(m_world->server.executedCount(), 10);
    }

    void aProbeGoesAloneAndTheFirstAnswerOpensAllLanes()
    {
        m_world->add(20);
        m_world->answerEntries = [](const TransportRequest &) { return replyEnding(End::NotConnected); };
        m_world->start();
        m_world->run(30s);
        const size_t before = m_world->transport->count();
        m_world->worker->wake(AttemptTrigger::NewOperation);
        QCOMPARE(m_world->transport->count(), before);
        m_world->worker->wake(AttemptTrigger::Reconnected);
        QCOMPARE(m_world->transport->openCount(), size_t(1));
        QCOMPARE(m_world->key(before), m_world->key(0)); // the oldest one
        m_world->worker->syncNow();
        QCOMPARE(m_world->transport->openCount(), size_t(1));
        m_world->transport->answerLast(m_world->server.entries(m_world->transport->last()));
        QCOMPARE(m_world->transport->openCount(), size_t(6));
        m_world->transport->answerLast(replyEnding(End::NotConnected));
        QCOMPARE(m_world->transport->openCount(), size_t(5)); // the others go on, no new one starts
    }

    ///
    void retryAfterHoldsTheWholeQueue_data()
    {
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("retryAfter");
        QTest::addColumn<int>("seconds");
        QTest::newRow("429 seconds") << 429 << QByteArray("120") << 120;
        QTest::newRow("503 date") << 503 << QByteArray("Tue, 13 Jan 2026 08:01:30 GMT") << 90;
    }
    void retryAfterHoldsTheWholeQueue()
    {
        QFETCH(int, status);
        QFETCH(QByteArray, retryAfter);
        QFETCH(int, seconds);
        m_world->add(20);
        int answered = 0;
        m_world->answerEntries = [&](const TransportRequest &request) {
            return ++answered > 3
                       ? problemReply(
                             status, status == 429 ? "RATE_LIMITED" : "STORAGE_UNAVAILABLE",
                             {{"Retry-After", retryAfter}, {"Date", "Tue, 13 Jan 2026 08:00:00 GMT"}})
                       : m_world->server.entries(request);
        };
        m_world->start();
        m_world->serve();
        const size_t before = m_world->transport->count();
        const Instant blockedAt = m_world->clock.now();
        m_world->worker->wake(AttemptTrigger::NewOperation);
        m_world->worker->wake(AttemptTrigger::Reconnected);
        m_world->worker->setWorkingOffline(true);
        m_world->worker->setWorkingOffline(false);
        m_world->run(std::chrono::seconds(seconds) - 1ms);
        QCOMPARE(m_world->transport->count(), before);
        QVERIFY(m_world->facts.nextAttemptAt >= blockedAt + std::chrono::seconds(seconds));
        QCOMPARE(m_world->summary().needAttention(), 0);

        m_world->start(); // a restart does not forget it
        m_world->serve();
        QCOMPARE(m_world->transport->count(), size_t(0));
        serveNormally();
        m_world->run(std::chrono::seconds(seconds) / 10 + 2ms);
        QCOMPARE(m_world->server.executedCount(), 20);
    }

    void syncNowEndsEveryWait()
    {
        m_world->add(3);
        m_world->answerEntries = [](const TransportRequest &) {
            return problemReply(503, "STORAGE_UNAVAILABLE", {{"Retry-After", "3600"}});
        };
        m_world->start();
        m_world->serve();
        serveNormally();
        m_world->worker->syncNow();
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 3);
        QCOMPARE(m_world->attempts(m_world->store->entriesFrom({}, 0, 1).value().first().id).last().trigger,
                 AttemptTrigger::Manual);
    }

    /// A broken entry must not stop the queue; a broken server must not be hammered.
    void fiveFailuresInARowEndThePass_data()
    {
        QTest::addColumn<bool>("timeouts");
        QTest::newRow("500") << false;
        QTest::newRow("timeouts") << true;
    }
    void fiveFailuresInARowEndThePass()
    {
        QFETCH(bool, timeouts);
        m_world->add(15);
        bool first = true;
        m_world->answerEntries = [&](const TransportRequest &request) {
            if (std::exchange(first, false))
                return m_world->server.entries(request);
            return timeouts ? replyEnding(End::NoReply) : problemReply(500, "INTERNAL_ERROR");
        };
        m_world->start();
        m_world->serve();
        // The first alone, six at once, and one more for each of the four that failed before the pass ended.
        QCOMPARE(m_world->transport->count(), size_t(1 + 6 + 4));
        QCOMPARE(m_world->facts.connection, timeouts ? Reach::NotResponding : Reach::Online);
    }

    void oneBrokenEntryDoesNotStopTheQueue()
    {
        const auto ids = m_world->add(20);
        const QByteArray broken = m_world->operation(ids[3]).id.toString().toLatin1();
        m_world->answerEntries = [&](const TransportRequest &request) {
            return headerOf(request, header::idempotencyKey) == broken ? problemReply(500, "INTERNAL_ERROR")
                                                                       : m_world->server.entries(request);
        };
        m_world->start();
        m_world->serve();
        QCOMPARE(m_world->server.executedCount(), 19);
        m_world->run(24h);
        QCOMPARE(m_world->badge(ids[3]), SyncState::RetryWaiting);
        QVERIFY(m_world->sentCount(ids[3]) > 24); // for ever, and no faster than its backoff
        QVERIFY(m_world->sentCount(ids[3]) < 120);
    }

    /// no tight loop around a refresh that cannot be had.
    void aRefreshWithoutAnAnswerIsProbedLikeTheServer()
    {
        m_world->add(5);
        m_world->server.accessToken = QStringLiteral("token-of-later");
        m_world->answerSession = [](const TransportRequest &) { return replyEnding(End::NotConnected); };
        m_world->start();
        m_world->run(10min);
        QCOMPARE(m_world->facts.connection, Reach::NotReachable);
        QVERIFY(m_world->sessionTransport->count() <= 20);
        QVERIFY(m_world->sessionTransport->count() >= 5);
        QCOMPARE(m_world->transport->count(), size_t(1));
        m_world->answerSession = [this](const TransportRequest &request) {
            return m_world->server.refresh(request);
        };
        m_world->run(5min);
        QCOMPARE(m_world->server.executedCount(), 5);
        QCOMPARE(m_world->server.refreshCount(), 1);
    }

    /// Nothing polls: a wait costs a look a minute at most, an empty queue none.
    void wakeUpsAreFew()
    {
        const auto ids = m_world->add(1);
        m_world->answerEntries = [](const TransportRequest &) {
            return problemReply(409, "OPERATION_IN_PROGRESS", {{"Retry-After", "3600"}});
        };
        m_world->start();
        m_world->run(10min);
        QCOMPARE(m_world->wakeup->fired(), 10);
        QCOMPARE(m_world->transport->count(), size_t(1));
        serveNormally();
        m_world->worker->syncNow();
        m_world->run(24h);
        QCOMPARE(m_world->wakeup->fired(), 10);
        QCOMPARE(m_world->badge(ids[0]), SyncState::Synced);
    }

    /// the computer slept through the reply, and wakes without a network.
    void aSleepInTheMiddleOfARequestIsSurvived()
    {
        const auto ids = m_world->add(2);
        m_world->start();
        m_world->clock.advance(10min);
        m_world->transport->answer(0, replyEnding(End::NoReply));
        m_world->answerEntries = [](const TransportRequest &) { return replyEnding(End::NotConnected); };
        m_world->run(1min);
        serveNormally();
        m_world->run(5min);
        for (const ClientEntryId &id : ids)
            QCOMPARE(m_world->badge(id), SyncState::Synced);
        QCOMPARE(m_world->server.executedCount(), 2);
    }

    /// a wait whose start lies in the future is over.
    void aClockSetBackEndsAWait()
    {
        m_world->add(1);
        m_world->answerEntries = [](const TransportRequest &) {
            return problemReply(429, "RATE_LIMITED", {{"Retry-After", "3600"}});
        };
        m_world->start();
        m_world->serve();
        m_world->clock.setNow(m_world->clock.now() - 25h);
        serveNormally();
        m_world->run(1min);
        QCOMPARE(m_world->server.executedCount(), 1);
    }

private:
    void serveNormally()
    {
        m_world->answerEntries = [this](const TransportRequest &request) {
            return m_world->server.entries(request);
        };
    }

    std::unique_ptr<SyncWorld> m_world;
};

QTEST_GUILESS_MAIN(tst_SyncWorkerTime)
#include "tst_syncworkertime.moc"
