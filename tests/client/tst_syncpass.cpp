#include "sync/client/syncpass.h"

#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

class tst_SyncPass : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitsForAProbeGrowToFiveMinutes()
    {
        SyncPass pass(m_random);
        Milliseconds last{};
        for (int probe = 1; probe <= 20; ++probe) {
            pass.unanswered(m_now);
            QCOMPARE(pass.phase(), SyncPhase::Unreachable);
            QCOMPARE(pass.waits().probeStep, probe);
            last = pass.waitEndsAt() - m_now;
            QVERIFY(last > 0ms && last <= 5min);
            pass.timeCame(pass.waitEndsAt() - 1ms);
            QCOMPARE(pass.phase(), SyncPhase::Unreachable);
            m_now = pass.waitEndsAt();
            pass.timeCame(m_now);
            QCOMPARE(pass.phase(), SyncPhase::Probing);
        }
        QVERIFY(last >= 150s);
        pass.answered();
        QCOMPARE(pass.phase(), SyncPhase::Sending);
        QCOMPARE(pass.waits(), AccountWaits());
    }

    void thoseThatFailTogetherCountOnce()
    {
        SyncPass pass(m_random);
        for (int i = 0; i < 6; ++i)
            pass.unanswered(m_now);
        QCOMPARE(pass.waits().probeStep, 1);
        const Instant end = pass.waitEndsAt();
        pass.unanswered(m_now + 1s);
        QCOMPARE(pass.waitEndsAt(), end);
    }

    void fiveDifferentEntriesInARowEndThePass()
    {
        SyncPass pass(m_random);
        pass.enter(SyncEvent::Leased);
        const ClientEntryId same = newId();
        for (int i = 0; i < 20; ++i)
            pass.failed(same, m_now);
        for (int i = 0; i < 3; ++i)
            pass.failed(newId(), m_now);
        QCOMPARE(pass.phase(), SyncPhase::Sending);
        pass.answered();
        for (int i = 0; i < 4; ++i)
            pass.failed(newId(), m_now);
        QCOMPARE(pass.phase(), SyncPhase::Sending);
        pass.failed(newId(), m_now);
        QCOMPARE(pass.phase(), SyncPhase::Unreachable);
    }

    void aProbeThatFailsEndsThePassAtOnce()
    {
        SyncPass pass(m_random);
        pass.unanswered(m_now);
        pass.enter(SyncEvent::WaitOver);
        pass.failed(newId(), m_now);
        QCOMPARE(pass.phase(), SyncPhase::Unreachable);
        QCOMPARE(pass.waits().probeStep, 2);
    }

    void theLongestBlockCounts()
    {
        SyncPass pass(m_random);
        pass.throttled(60s, QStringLiteral("RATE_LIMITED"), m_now);
        pass.throttled(10s, QStringLiteral("STORAGE_UNAVAILABLE"), m_now);
        QCOMPARE(pass.waits().blockedUntil, std::optional(m_now + 60s));
        QCOMPARE(pass.waits().blockedReason, QStringLiteral("RATE_LIMITED"));
        QCOMPARE(pass.waits().probeStep, 1);
        pass.throttled(90s, QStringLiteral("STORAGE_UNAVAILABLE"), m_now);
        QCOMPARE(pass.waits().blockedUntil, std::optional(m_now + 90s));
        pass.answered(); // one that was under way; the block stands
        QCOMPARE(pass.phase(), SyncPhase::Blocked);
        QVERIFY(pass.waits().blockedUntil.has_value());
        pass.timeCame(m_now + 90s);
        QCOMPARE(pass.phase(), SyncPhase::Probing);
        QVERIFY(!pass.waits().blockedUntil);
    }

    void aStoredBlockIsAdoptedWithinReason_data()
    {
        QTest::addColumn<qint64>("ahead");
        QTest::addColumn<qint64>("waited");
        QTest::newRow("past") << qint64(-1) << qint64(0);
        QTest::newRow("ahead") << qint64(90) << qint64(90);
        QTest::newRow("the longest, with its jitter") << qint64(26 * 3600) << qint64(26 * 3600);
        QTest::newRow("of a clock that was set back") << qint64(1'000'000) << qint64(0);
    }
    void aStoredBlockIsAdoptedWithinReason()
    {
        QFETCH(qint64, ahead);
        QFETCH(qint64, waited);
        SyncPass pass(m_random);
        pass.adopt({m_now + std::chrono::seconds(ahead), QStringLiteral("RATE_LIMITED"), 3}, m_now);
        QCOMPARE(pass.waits().probeStep, 3);
        QCOMPARE(pass.phase(), waited > 0 ? SyncPhase::Blocked : SyncPhase::Idle);
        QCOMPARE(pass.waits().blockedUntil.has_value(), waited > 0);
        QCOMPARE(pass.waits().blockedReason.isEmpty(), waited == 0);
        if (waited > 0)
            QCOMPARE(pass.waitEndsAt(), m_now + std::chrono::seconds(waited));
    }

    void aClockSetBackEndsAWait()
    {
        SyncPass pass(m_random);
        pass.throttled(60s, {}, m_now);
        pass.timeCame(m_now - 1h);
        QCOMPARE(pass.phase(), SyncPhase::Probing);
    }

    void askingForItEndsEveryWait()
    {
        SyncPass pass(m_random);
        pass.throttled(1h, QStringLiteral("RATE_LIMITED"), m_now);
        pass.syncRequested();
        QCOMPARE(pass.phase(), SyncPhase::Probing);
        QCOMPARE(pass.waits(), AccountWaits());
    }

    void aFailedStoreIsToldOnceAndLookedAtAgain()
    {
        SyncPass pass(m_random);
        QVERIFY(pass.storeFailed(m_now));
        QVERIFY(!pass.storeFailed(m_now + 1s));
        pass.timeCame(m_now + 60s);
        QCOMPARE(pass.phase(), SyncPhase::Idle);
    }

private:
    ClientEntryId newId() { return ClientEntryId::random(m_random); }

    SeededRandom m_random{1};
    Instant m_now = fromEpochMilliseconds(1'768'291'200'000);
};

QTEST_GUILESS_MAIN(tst_SyncPass)
#include "tst_syncpass.moc"
