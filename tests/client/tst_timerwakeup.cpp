#include "sync/client/timerwakeup.h"

#include <QElapsedTimer>
#include <QTest>

using namespace daybook;

class TestTimerWakeup : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wakesOnce();
    void replacesWhatWasPending();
    void cancels();
    void mayScheduleWhileWaking();
};

void TestTimerWakeup::wakesOnce()
{
    int woken = 0;
    TimerWakeup wakeup;
    wakeup.onWake([&] { ++woken; });
    QElapsedTimer elapsed;
    elapsed.start();
    wakeup.schedule(Milliseconds(30));
    QTRY_COMPARE(woken, 1);
    QVERIFY(elapsed.elapsed() >= 25);
}

void TestTimerWakeup::replacesWhatWasPending()
{
    int woken = 0;
    TimerWakeup wakeup;
    wakeup.onWake([&] { ++woken; });
    wakeup.schedule(std::chrono::hours(1));
    wakeup.schedule(Milliseconds(0));
    QTRY_COMPARE(woken, 1);
}

void TestTimerWakeup::cancels()
{
    int woken = 0;
    int later = 0;
    TimerWakeup wakeup;
    TimerWakeup other;
    wakeup.onWake([&] { ++woken; });
    other.onWake([&] { ++later; });
    wakeup.schedule(Milliseconds(1));
    wakeup.cancel();
    other.schedule(Milliseconds(20));
    QTRY_COMPARE(later, 1);
    QCOMPARE(woken, 0);
}

void TestTimerWakeup::mayScheduleWhileWaking()
{
    int woken = 0;
    TimerWakeup wakeup;
    wakeup.onWake([&] {
        if (++woken < 3)
            wakeup.schedule(Milliseconds(0));
    });
    wakeup.schedule(Milliseconds(0));
    QTRY_COMPARE(woken, 3);
}

QTEST_GUILESS_MAIN(TestTimerWakeup)
#include "tst_timerwakeup.moc"
