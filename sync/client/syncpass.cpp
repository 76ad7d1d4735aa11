#include "sync/client/syncpass.h"

#include "models/domain/logging.h"
#include "models/store/queuemetrics.h"
#include "sync/client/retrypolicy.h"
#include "sync/client/wakeup.h"

#include <utility>

namespace daybook {

namespace {

/// So many different entries in a row that got no answer worth the name: the server's fault, not theirs.
constexpr int failuresThatEndAPass = 5;

} // namespace

bool SyncPass::enter(SyncEvent event)
{
    const SyncPhase before = std::exchange(m_phase, next(m_phase, event));
    if (m_phase != before)
        qCDebug(lcSync) << name(before) << "->" << name(m_phase);
    return m_phase != before;
}

void SyncPass::adopt(const AccountWaits &stored, Instant now)
{
    m_waits = stored;
    m_waits.blockedUntil = blockInEffect(stored.blockedUntil, now);
    if (!m_waits.blockedUntil)
        m_waits.blockedReason.clear();
    else if (enter(SyncEvent::Throttled))
        m_wait = {now, *m_waits.blockedUntil - now};
}

void SyncPass::answered()
{
    m_failing.clear();
    enter(SyncEvent::Answered);
    if (m_phase != SyncPhase::Blocked)
        m_waits = {};
}

void SyncPass::failed(const ClientEntryId &entry, Instant now)
{
    m_failing.insert(entry);
    const bool isProbeOfDeadServer = m_phase == SyncPhase::Probing && m_waits.probeStep > 0;
    if (isProbeOfDeadServer || m_failing.size() >= failuresThatEndAPass)
        unanswered(now);
}

void SyncPass::unanswered(Instant now)
{
    m_failing.clear();
    if (!enter(SyncEvent::Unanswered))
        return;
    ++m_waits.probeStep;
    m_wait = {now, probeWait(m_waits.probeStep, m_random)};
}

void SyncPass::throttled(Milliseconds wait, const QString &reason, Instant now)
{
    const Wait asked{now, wait};
    if (enter(SyncEvent::Throttled))
        ++m_waits.probeStep;
    else if (m_phase != SyncPhase::Blocked || asked.endsAt() <= m_wait.endsAt())
        return;
    m_wait = asked;
    m_waits.blockedUntil = asked.endsAt();
    m_waits.blockedReason = reason;
}

bool SyncPass::storeFailed(Instant now)
{
    if (!enter(SyncEvent::StoreFailed))
        return false;
    m_wait = {now, storeWait};
    return true;
}

void SyncPass::syncRequested()
{
    m_waits = {};
    m_failing.clear();
    enter(SyncEvent::SyncRequested);
}

void SyncPass::timeCame(Instant now)
{
    if (!m_wait.isOver(now))
        return;
    if (m_phase == SyncPhase::Blocked) {
        m_waits.blockedUntil.reset();
        m_waits.blockedReason.clear();
    }
    enter(SyncEvent::WaitOver);
}

} // namespace daybook
