#include "sync/client/syncphase.h"

namespace daybook {

namespace {

/// Would send if it could: nobody has to do anything before it goes on.
bool goesOnByItself(SyncPhase phase)
{
    using enum SyncPhase;
    return phase == Idle || phase == Sending || phase == Unreachable || phase == Probing ||
           phase == Blocked || phase == RefreshingSession || phase == StoreFailed;
}

} // namespace

/// The table in words; what is not in it stays.
///
///     idle                      -> sending (leased)
///     sending                   -> idle (drained)
///     unreachable, probing      -> sending (answered): the first answer opens all lanes
///     idle, sending, probing,
///       refreshing              -> unreachable (unanswered)
///     these and unreachable     -> blocked (throttled): a block outlasts answers and failures of others
///     unreachable               -> probing (wait over, reconnected, sync requested, session renewed)
///     blocked                   -> probing (wait over, sync requested)
///     idle, sending, probing,
///       unreachable             -> refreshing (session expired)
///     refreshing, unreachable   -> probing (session refreshed): one request shows whether it is accepted
///     all that go on            -> sign-in needed (session lost), paused (account refused),
///                                  store failed
///     store failed              -> idle (wait over, woken, reconnected, sync requested, session renewed)
///     sign-in needed            -> probing (session renewed)
///     paused                    -> probing (session renewed, sync requested)
///     all but stopping          -> working offline (went offline)
///     working offline           -> probing (went online)
///     all                       -> stopping (stopped), and never out of it
SyncPhase next(SyncPhase phase, SyncEvent event)
{
    using enum SyncPhase;
    const auto isOneOf = [phase](auto... phases) { return ((phase == phases) || ...); };
    switch (event) {
    case SyncEvent::Leased: return phase == Idle ? Sending : phase;
    case SyncEvent::Drained: return phase == Sending ? Idle : phase;
    case SyncEvent::Answered: return isOneOf(Unreachable, Probing) ? Sending : phase;
    case SyncEvent::Unanswered:
        return isOneOf(Idle, Sending, Probing, RefreshingSession) ? Unreachable : phase;
    case SyncEvent::Throttled:
        return isOneOf(Idle, Sending, Unreachable, Probing, RefreshingSession) ? Blocked : phase;
    case SyncEvent::WaitOver:
        return isOneOf(Unreachable, Blocked) ? Probing : phase == SyncPhase::StoreFailed ? Idle : phase;
    case SyncEvent::Woken: return phase == SyncPhase::StoreFailed ? Idle : phase;
    case SyncEvent::Reconnected:
        return phase == Unreachable ? Probing : phase == SyncPhase::StoreFailed ? Idle : phase;
    case SyncEvent::SyncRequested:
        return isOneOf(Unreachable, Blocked, Paused) ? Probing
               : phase == SyncPhase::StoreFailed     ? Idle
                                                     : phase;
    case SyncEvent::SessionExpired:
        return isOneOf(Idle, Sending, Unreachable, Probing) ? RefreshingSession : phase;
    case SyncEvent::SessionRefreshed: return isOneOf(RefreshingSession, Unreachable) ? Probing : phase;
    case SyncEvent::SessionLost: return goesOnByItself(phase) ? SignInNeeded : phase;
    case SyncEvent::SessionRenewed:
        return isOneOf(Unreachable, SignInNeeded, Paused) ? Probing
               : phase == SyncPhase::StoreFailed          ? Idle
                                                          : phase;
    case SyncEvent::AccountRefused: return goesOnByItself(phase) ? Paused : phase;
    case SyncEvent::StoreFailed: return goesOnByItself(phase) ? SyncPhase::StoreFailed : phase;
    case SyncEvent::WentOffline: return phase == Stopping ? Stopping : WorkingOffline;
    case SyncEvent::WentOnline: return phase == WorkingOffline ? Probing : phase;
    case SyncEvent::Stopped: return Stopping;
    }
    return phase;
}

int openLanes(SyncPhase phase)
{
    using enum SyncPhase;
    switch (phase) {
    case Idle:
    case Sending: return laneCount;
    case Probing: return 1;
    case Unreachable:
    case Blocked:
    case RefreshingSession:
    case SignInNeeded:
    case Paused:
    case StoreFailed:
    case WorkingOffline:
    case Stopping: return 0;
    }
    return 0;
}

QLatin1StringView name(SyncPhase phase)
{
    using enum SyncPhase;
    switch (phase) {
    case Idle: return QLatin1StringView("idle");
    case Sending: return QLatin1StringView("sending");
    case Unreachable: return QLatin1StringView("unreachable");
    case Probing: return QLatin1StringView("probing");
    case Blocked: return QLatin1StringView("blocked");
    case RefreshingSession: return QLatin1StringView("refreshing session");
    case SignInNeeded: return QLatin1StringView("sign-in needed");
    case Paused: return QLatin1StringView("paused");
    case StoreFailed: return QLatin1StringView("store failed");
    case WorkingOffline: return QLatin1StringView("working offline");
    case Stopping: return QLatin1StringView("stopping");
    }
    return {};
}

} // namespace daybook
