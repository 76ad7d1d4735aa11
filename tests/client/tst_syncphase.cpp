#include "sync/client/syncphase.h"

#include <QTest>

#include <map>

using namespace daybook;

namespace {

using P = SyncPhase;
using E = SyncEvent;

/// Every pair that changes the phase, stopping and going offline aside; all others stay.
const std::map<std::pair<P, E>, P> changes = {
    {{P::Idle, E::Leased}, P::Sending},
    {{P::Idle, E::Unanswered}, P::Unreachable},
    {{P::Idle, E::Throttled}, P::Blocked},
    {{P::Idle, E::SessionExpired}, P::RefreshingSession},
    {{P::Idle, E::SessionLost}, P::SignInNeeded},
    {{P::Idle, E::AccountRefused}, P::Paused},
    {{P::Idle, E::StoreFailed}, P::StoreFailed},

    {{P::Sending, E::Drained}, P::Idle},
    {{P::Sending, E::Unanswered}, P::Unreachable},
    {{P::Sending, E::Throttled}, P::Blocked},
    {{P::Sending, E::SessionExpired}, P::RefreshingSession},
    {{P::Sending, E::SessionLost}, P::SignInNeeded},
    {{P::Sending, E::AccountRefused}, P::Paused},
    {{P::Sending, E::StoreFailed}, P::StoreFailed},

    {{P::Unreachable, E::Answered}, P::Sending},
    {{P::Unreachable, E::Throttled}, P::Blocked},
    {{P::Unreachable, E::WaitOver}, P::Probing},
    {{P::Unreachable, E::Reconnected}, P::Probing},
    {{P::Unreachable, E::SyncRequested}, P::Probing},
    {{P::Unreachable, E::SessionExpired}, P::RefreshingSession},
    {{P::Unreachable, E::SessionRefreshed}, P::Probing},
    {{P::Unreachable, E::SessionLost}, P::SignInNeeded},
    {{P::Unreachable, E::SessionRenewed}, P::Probing},
    {{P::Unreachable, E::AccountRefused}, P::Paused},
    {{P::Unreachable, E::StoreFailed}, P::StoreFailed},

    {{P::Probing, E::Answered}, P::Sending},
    {{P::Probing, E::Unanswered}, P::Unreachable},
    {{P::Probing, E::Throttled}, P::Blocked},
    {{P::Probing, E::SessionExpired}, P::RefreshingSession},
    {{P::Probing, E::SessionLost}, P::SignInNeeded},
    {{P::Probing, E::AccountRefused}, P::Paused},
    {{P::Probing, E::StoreFailed}, P::StoreFailed},

    {{P::Blocked, E::WaitOver}, P::Probing},
    {{P::Blocked, E::SyncRequested}, P::Probing},
    {{P::Blocked, E::SessionLost}, P::SignInNeeded},
    {{P::Blocked, E::AccountRefused}, P::Paused},
    {{P::Blocked, E::StoreFailed}, P::StoreFailed},

    {{P::RefreshingSession, E::Unanswered}, P::Unreachable},
    {{P::RefreshingSession, E::Throttled}, P::Blocked},
    {{P::RefreshingSession, E::SessionRefreshed}, P::Probing},
    {{P::RefreshingSession, E::SessionLost}, P::SignInNeeded},
    {{P::RefreshingSession, E::AccountRefused}, P::Paused},
    {{P::RefreshingSession, E::StoreFailed}, P::StoreFailed},

    {{P::SignInNeeded, E::SessionRenewed}, P::Probing},

    {{P::Paused, E::SessionRenewed}, P::Probing},
    {{P::Paused, E::SyncRequested}, P::Probing},

    {{P::StoreFailed, E::WaitOver}, P::Idle},
    {{P::StoreFailed, E::Woken}, P::Idle},
    {{P::StoreFailed, E::Reconnected}, P::Idle},
    {{P::StoreFailed, E::SyncRequested}, P::Idle},
    {{P::StoreFailed, E::SessionRenewed}, P::Idle},
    {{P::StoreFailed, E::SessionLost}, P::SignInNeeded},
    {{P::StoreFailed, E::AccountRefused}, P::Paused},

    {{P::WorkingOffline, E::WentOnline}, P::Probing},
};

P expectedAfter(P phase, E event)
{
    if (phase == P::Stopping || event == E::Stopped)
        return P::Stopping;
    if (event == E::WentOffline)
        return P::WorkingOffline;
    const auto change = changes.find({phase, event});
    return change == changes.end() ? phase : change->second;
}

} // namespace

class tst_SyncPhase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyPairIsAsTheTableSays()
    {
        for (const P phase : allSyncPhases) {
            for (const E event : allSyncEvents) {
                QVERIFY2(next(phase, event) == expectedAfter(phase, event),
                         qPrintable(QStringLiteral("%1, event %2: became %3")
                                        .arg(name(phase))
                                        .arg(static_cast<int>(event))
                                        .arg(name(next(phase, event)))));
            }
        }
    }

    void onlyWorkingPhasesOpenLanes()
    {
        for (const P phase : allSyncPhases) {
            const int expected = phase == P::Idle || phase == P::Sending ? laneCount
                                 : phase == P::Probing                   ? 1
                                                                         : 0;
            QCOMPARE(openLanes(phase), expected);
        }
    }

    /// Whatever happened before: a phase without lanes can be left by something that will happen by itself
    /// or that a person can do.
    void noPhaseIsADeadEnd()
    {
        for (const P phase : allSyncPhases) {
            if (phase == P::Stopping)
                continue;
            bool opens = openLanes(phase) > 0;
            for (const E event : allSyncEvents)
                opens = opens || openLanes(next(phase, event)) > 0;
            QVERIFY2(opens, name(phase).data());
        }
    }
};

QTEST_GUILESS_MAIN(tst_SyncPhase)
#include "tst_syncphase.moc"
