#pragma once

#include <QString>

#include <array>

namespace daybook {

/// Requests of one account under way at most.
inline constexpr int laneCount = 6;

/// What the sync worker is about. How many requests are under way is not part of it: those that run go on
/// while no new ones are handed out.
enum class SyncPhase {
    Idle,              ///< nothing is ready or under way
    Sending,           ///< all lanes are open
    Unreachable,       ///< no usable answer came; waits for the time of the next probe
    Probing,           ///< one operation alone tries the server
    Blocked,           ///< the server asked the whole account to wait
    RefreshingSession, ///< no usable access token; one question for it is under way for all
    SignInNeeded,      ///< the session is over; only signing in again helps
    Paused,            ///< the server takes the session for another account's
    StoreFailed,       ///< the local store failed; looked at again soon
    WorkingOffline,    ///< the person said so
    Stopping,          ///< nothing starts any more
};

inline constexpr std::array allSyncPhases = {
    SyncPhase::Idle,        SyncPhase::Sending,           SyncPhase::Unreachable,  SyncPhase::Probing,
    SyncPhase::Blocked,     SyncPhase::RefreshingSession, SyncPhase::SignInNeeded, SyncPhase::Paused,
    SyncPhase::StoreFailed, SyncPhase::WorkingOffline,    SyncPhase::Stopping,
};

/// What happens to the worker.
enum class SyncEvent {
    Leased,           ///< operations were handed to the lanes
    Drained,          ///< nothing is ready and nothing under way
    Answered,         ///< the server answered and has no objection to going on
    Unanswered,       ///< no connection, an answer that is not the server's, or too many failures in a row
    Throttled,        ///< the server asked the account to wait
    WaitOver,         ///< the wait for a probe, of a block or for the store has ended
    Woken,            ///< there may be new work
    Reconnected,      ///< the network may be back
    SyncRequested,    ///< the person wants it tried now
    SessionExpired,   ///< there is no access token, or it was refused
    SessionRefreshed, ///< there is a new one
    SessionLost,      ///< refused for good
    SessionRenewed,   ///< the person has signed in again
    AccountRefused,   ///< the session is another account's
    StoreFailed,      ///< reading or writing the local store failed
    WentOffline,      ///< the person works offline
    WentOnline,       ///< and no longer does
    Stopped,          ///< the program ends or the account is left
};

inline constexpr std::array allSyncEvents = {
    SyncEvent::Leased,         SyncEvent::Drained,          SyncEvent::Answered,
    SyncEvent::Unanswered,     SyncEvent::Throttled,        SyncEvent::WaitOver,
    SyncEvent::Woken,          SyncEvent::Reconnected,      SyncEvent::SyncRequested,
    SyncEvent::SessionExpired, SyncEvent::SessionRefreshed, SyncEvent::SessionLost,
    SyncEvent::SessionRenewed, SyncEvent::AccountRefused,   SyncEvent::StoreFailed,
    SyncEvent::WentOffline,    SyncEvent::WentOnline,       SyncEvent::Stopped,
};

/// The phase after \p event. Where an event means nothing to a phase, the phase stays.
SyncPhase next(SyncPhase phase, SyncEvent event);

/// How many requests may be under way before another operation is leased.
int openLanes(SyncPhase phase);

QLatin1StringView name(SyncPhase phase);

} // namespace daybook
