#pragma once

#include "models/domain/random.h"
#include "models/store/syncjournal.h"
#include "sync/client/syncphase.h"

#include <QSet>

namespace daybook {

/// Where the work on one account's queue stands: its phase, the wait it is in, and what failed in a row.
/// Knows no store, network or clock; what time it is, is handed in.
class SyncPass
{
public:
    explicit SyncPass(Random &random) : m_random(random) {}

    SyncPhase phase() const { return m_phase; }
    /// Over a restart these are kept.
    const AccountWaits &waits() const { return m_waits; }
    /// Of a phase that waits for a time: Unreachable, Blocked or StoreFailed.
    Instant waitEndsAt() const { return m_wait.endsAt(); }

    /// Whether the phase became another one.
    bool enter(SyncEvent event);

    /// What an earlier run left or another process of this account was told. A block that is over is dropped.
    void adopt(const AccountWaits &stored, Instant now);
    /// The server can be worked with: the next failure is the first one again.
    void answered();
    /// One attempt came to nothing. Too many on different entries in a row are unanswered(), and so is the
    /// probe of a server that did not answer before.
    void failed(const ClientEntryId &entry, Instant now);
    /// The pass is over until a probe is due. Of those that were under way together only the first counts.
    void unanswered(Instant now);
    /// The account waits that long at least.
    void throttled(Milliseconds wait, const QString &reason, Instant now);
    bool storeFailed(Instant now);
    /// The person wants every wait to end.
    void syncRequested();
    /// A look at the clock: ends the wait whose time has come.
    void timeCame(Instant now);

private:
    /// Over when its time has passed, and also when the clock was set back to before its start.
    struct Wait
    {
        Instant startedAt;
        Milliseconds length{};

        Instant endsAt() const { return startedAt + length; }
        bool isOver(Instant now) const { return now < startedAt || now >= endsAt(); }
    };

    Random &m_random;
    SyncPhase m_phase = SyncPhase::Idle;
    Wait m_wait;
    AccountWaits m_waits;
    QSet<ClientEntryId> m_failing; ///< entries whose attempts failed since the server last answered
};

} // namespace daybook
