#include "sync/client/syncworker.h"

#include "models/domain/crashpoint.h"
#include "models/domain/logging.h"
#include "sync/client/attemptrecord.h"
#include "sync/client/requestbuilder.h"
#include "sync/client/retrypolicy.h"

#include <algorithm>

namespace daybook {

namespace {

using std::chrono::seconds;

/// No timer runs longer while something waits: a sleep or a changed clock is noticed then.
constexpr Milliseconds longestSleep = seconds(60);
/// Where the queue says "ready" and yet gave nothing, another process was faster.
constexpr Milliseconds raceSleep = seconds(1);

// One attempt is at most two exchanges, the operation and the reading of its entry; its lease outlives both.
static_assert(leaseLength > 2 * exchangeDeadline);

} // namespace

/// Journal, session and requests are of one account by construction: no operation can go out with the token
/// of another. The Daybook-Account header lets the server check the same.
SyncWorker::SyncWorker(Parts parts)
    : m_parts(std::move(parts)),
      m_journal(*m_parts.journal),
      m_session(m_journal.account(), *m_parts.sessionTransport, *m_parts.tokens,
                std::move(m_parts.sessionWakeup), m_parts.clock),
      m_dispatcher(*m_parts.transport),
      m_pass(m_parts.random)
{
    m_parts.wakeup->onWake([this] { timeCame(); });
}

SyncWorker::~SyncWorker() { stop(); }

void SyncWorker::start()
{
    adoptWaits();
    wake(AttemptTrigger::Start);
}

void SyncWorker::stop()
{
    if (m_pass.phase() == SyncPhase::Stopping)
        return;
    m_pass.enter(SyncEvent::Stopped);
    abortAll();
    m_parts.wakeup->cancel();
}

void SyncWorker::wake(AttemptTrigger trigger)
{
    m_trigger = trigger;
    m_idleToAnnounce = true;
    // New work by the hundred must not become probes by the hundred.
    const bool isNewWork = trigger == AttemptTrigger::NewOperation || trigger == AttemptTrigger::Nudge;
    m_pass.enter(isNewWork ? SyncEvent::Woken : SyncEvent::Reconnected);
    advance();
}

void SyncWorker::syncNow()
{
    m_trigger = AttemptTrigger::Manual;
    m_idleToAnnounce = true;
    m_pass.syncRequested();
    if (const auto changed = m_journal.clearWaits()) {
        m_savedWaits = {};
        announce(*changed);
    } else {
        failStore(changed.error());
    }
    advance();
}

void SyncWorker::setWorkingOffline(bool offline)
{
    m_idleToAnnounce = true;
    m_trigger = AttemptTrigger::Reconnected;
    if (m_pass.enter(offline ? SyncEvent::WentOffline : SyncEvent::WentOnline) && offline)
        abortAll();
    advance();
}

void SyncWorker::sessionRenewed()
{
    m_trigger = AttemptTrigger::SignIn;
    m_idleToAnnounce = true;
    m_accessToken.clear();
    m_refusedToken.clear();
    m_session.renewed();
    m_pass.enter(SyncEvent::SessionRenewed);
    advance();
}

void SyncWorker::timeCame()
{
    m_trigger = AttemptTrigger::Scheduled;
    m_pass.timeCame(now());
    advance();
}

/// One step. Everything that can change what may be done next ends here.
void SyncWorker::advance()
{
    saveWaits();
    if (m_accessToken.isEmpty() && openLanes(m_pass.phase()) > 0)
        m_pass.enter(SyncEvent::SessionExpired);
    if (m_pass.phase() == SyncPhase::RefreshingSession)
        askSession();
    if (const int free = m_dispatcher.freeLanes(openLanes(m_pass.phase())); free > 0)
        leaseAndSend(free);
    rest();
}

void SyncWorker::leaseAndSend(int limit)
{
    const auto leased = m_journal.lease(limit, m_trigger);
    if (!leased)
        return failStore(leased.error());
    for (const Lease &lease : leased->leases) {
        m_dispatcher.send(lease.operation.id,
                          operationRequest(m_journal.account(), lease.operation, m_accessToken),
                          [this, flight = Flight{lease, m_accessToken}](const TransportReply &reply) {
                              operationAnswered(flight, reply);
                          });
    }
    announce(leased->changed);
    if (!leased->leases.isEmpty()) {
        m_idleToAnnounce = true;
        m_pass.enter(SyncEvent::Leased);
    } else if (m_dispatcher.isEmpty()) {
        adoptWaits();
        m_pass.enter(SyncEvent::Drained);
    }
}

void SyncWorker::operationAnswered(const Flight &flight, const TransportReply &reply)
{
    crashPoint(CrashPoint::ReplyReceived);
    const Operation &operation = flight.lease.operation;
    const Verdict verdict = classify(operation, reply, now());
    if (verdict.kind != Verdict::Kind::ReadEntry)
        return settle(flight, verdict, reply);
    m_dispatcher.send(operation.id,
                      readEntryRequest(m_journal.account(), operation.entryId, flight.accessToken),
                      [this, flight](const TransportReply &answer) { entryRead(flight, answer); });
}

void SyncWorker::entryRead(const Flight &flight, const TransportReply &reply)
{
    Verdict verdict = classifyRead(flight.lease.operation, reply, now());
    // The operation was executed; a refused reading is no verdict on it.
    if (verdict.kind == Verdict::Kind::Refused)
        verdict.kind = Verdict::Kind::ServerError;
    settle(flight, verdict, reply);
}

/// Where writing fails nothing is lost: the row stays `sending`, its lease ends, and the server replays.
void SyncWorker::settle(const Flight &flight, const Verdict &verdict, const TransportReply &reply)
{
    const auto wait =
        waitAfter(verdict, flight.lease.operation.id, m_pass.waits().probeStep, m_journal, m_parts.random);
    const auto changed = wait ? record(flight.lease, verdict, *wait, m_journal) : wait.error();
    if (changed) {
        announce(*changed);
        noteExchange(flight, verdict, reply);
        judge(flight, verdict, *wait);
    } else {
        failStore(changed.error());
    }
    advance();
}

/// What the answer to one operation says about all the others.
void SyncWorker::judge(const Flight &flight, const Verdict &verdict, Milliseconds wait)
{
    switch (verdict.kind) {
    case Verdict::Kind::Confirmed:
    case Verdict::Kind::DoneOnServer:
    case Verdict::Kind::Conflict:
    case Verdict::Kind::Refused:
    case Verdict::Kind::InProgress: return m_pass.answered();
    case Verdict::Kind::ServerError:
    case Verdict::Kind::Unknown: return m_pass.failed(flight.lease.operation.entryId, now());
    case Verdict::Kind::NotReachable:
    case Verdict::Kind::NotExecuted: // sent alone it depends on no other: nonsense, and ready again at once
    case Verdict::Kind::Unexpected: return m_pass.unanswered(now());
    case Verdict::Kind::AccountBlocked: return m_pass.throttled(wait, verdict.end.errorCode, now());
    case Verdict::Kind::SessionExpired:
        if (flight.accessToken == m_accessToken) { // else somebody asked for another token already
            m_refusedToken = std::exchange(m_accessToken, {});
            m_pass.enter(SyncEvent::SessionExpired);
        }
        return;
    case Verdict::Kind::AccountMismatch: m_pass.enter(SyncEvent::AccountRefused); return;
    case Verdict::Kind::Aborted:
    case Verdict::Kind::ReadEntry: return;
    }
}

void SyncWorker::noteExchange(const Flight &flight, const Verdict &verdict, const TransportReply &reply)
{
    const bool isAnswer = speaksProtocol(reply) && verdict.kind != Verdict::Kind::Unexpected;
    if (isAnswer && verdict.kind != Verdict::Kind::SessionExpired)
        m_session.accepted(flight.accessToken);
    m_answeredSinceEmpty |= isAnswer;
    m_reach = isAnswer                                      ? SyncFacts::Connection::Online
              : verdict.kind == Verdict::Kind::NotReachable ? SyncFacts::Connection::NotReachable
                                                            : SyncFacts::Connection::NotResponding;
    m_facts.lastErrorCode = verdict.end.errorCode;
    m_facts.lastErrorDetail = verdict.end.errorDetail;
}

void SyncWorker::adoptWaits()
{
    const auto waits = m_journal.waits();
    if (!waits)
        return failStore(waits.error());
    m_savedWaits = *waits;
    m_pass.adopt(*waits, now());
}

void SyncWorker::saveWaits()
{
    if (m_pass.waits() == m_savedWaits)
        return;
    const auto saved = m_journal.setWaits(m_savedWaits, m_pass.waits());
    if (!saved)
        failStore(saved.error());
    else if (*saved)
        m_savedWaits = m_pass.waits();
    else // another process was told to wait meanwhile
        adoptWaits();
}

void SyncWorker::askSession()
{
    if (std::exchange(m_asking, true))
        return;
    const auto handler = [this](const SessionAnswer &answer) { sessionAnswered(answer); };
    if (m_refusedToken.isEmpty())
        m_session.withToken(handler);
    else
        m_session.withTokenAfterRefusal(m_refusedToken, handler);
}

void SyncWorker::sessionAnswered(const SessionAnswer &answer)
{
    m_asking = false;
    switch (answer.kind) {
    case SessionAnswer::Kind::Token:
        m_accessToken = answer.accessToken;
        m_refusedToken.clear();
        m_pass.enter(SyncEvent::SessionRefreshed);
        break;
    case SessionAnswer::Kind::Ended: m_pass.enter(SyncEvent::SessionLost); break;
    case SessionAnswer::Kind::NotReachable:
        m_reach = SyncFacts::Connection::NotReachable;
        m_facts.lastErrorCode = clientcode::notReachable;
        m_facts.lastErrorDetail = answer.error.detail;
        m_pass.unanswered(now());
        break;
    case SessionAnswer::Kind::Unavailable:
        m_reach = SyncFacts::Connection::NotResponding;
        if (answer.retryAfter)
            m_pass.throttled(blockedWait(*answer.retryAfter, m_parts.random), {}, now());
        else
            m_pass.unanswered(now());
        break;
    case SessionAnswer::Kind::StoreFailed: failStore(answer.error); break;
    }
    advance();
}

void SyncWorker::abortAll()
{
    m_dispatcher.abortAll();
    const auto changed = m_journal.releaseLeases();
    if (changed)
        announce(*changed);
    else // they end by themselves
        qCWarning(lcSync) << "leases not given back:" << changed.error().detail;
}

/// A queue that is not empty always owns a wake-up, unless only a person can help.
void SyncWorker::rest()
{
    const std::optional<Instant> lookAt = nextLookAt();
    if (lookAt)
        m_parts.wakeup->schedule(std::clamp(*lookAt - now(), Milliseconds(0), longestSleep));
    else
        m_parts.wakeup->cancel();
    publishFacts(lookAt);
    // Later: who woke the worker twice in a row hears once, when both are done.
    if (isIdle())
        QMetaObject::invokeMethod(this, &SyncWorker::announceIdle, Qt::QueuedConnection);
}

bool SyncWorker::isIdle() const { return m_idleToAnnounce && m_dispatcher.isEmpty() && !m_asking; }

void SyncWorker::announceIdle()
{
    if (!isIdle())
        return;
    m_idleToAnnounce = false;
    Q_EMIT idle();
}

std::optional<Instant> SyncWorker::nextLookAt()
{
    switch (m_pass.phase()) {
    case SyncPhase::Unreachable:
    case SyncPhase::Blocked:
    case SyncPhase::StoreFailed: return m_pass.waitEndsAt();
    case SyncPhase::RefreshingSession: return now() + longestSleep;
    case SyncPhase::SignInNeeded:
    case SyncPhase::Paused:
    case SyncPhase::WorkingOffline:
    case SyncPhase::Stopping: return std::nullopt;
    case SyncPhase::Idle:
    case SyncPhase::Sending:
    case SyncPhase::Probing: break;
    }
    if (m_dispatcher.freeLanes(openLanes(m_pass.phase())) == 0)
        return now() + longestSleep;
    const auto readyAt = m_journal.nextReadyAt();
    if (!readyAt) {
        failStore(readyAt.error());
        return m_pass.waitEndsAt();
    }
    if (!*readyAt && m_dispatcher.isEmpty() && std::exchange(m_answeredSinceEmpty, false))
        m_facts.lastSyncedAt = now();
    return *readyAt && **readyAt <= now() ? now() + raceSleep : *readyAt;
}

SyncFacts::Connection SyncWorker::connection() const
{
    switch (m_pass.phase()) {
    case SyncPhase::SignInNeeded: return SyncFacts::Connection::SignInNeeded;
    case SyncPhase::Paused:
    case SyncPhase::StoreFailed: return SyncFacts::Connection::Paused;
    case SyncPhase::WorkingOffline: return SyncFacts::Connection::WorkingOffline;
    default: return m_reach;
    }
}

void SyncWorker::publishFacts(std::optional<Instant> lookAt)
{
    m_facts.connection = connection();
    m_facts.busy = !m_dispatcher.isEmpty();
    m_facts.nextAttemptAt.reset();
    if (!m_facts.busy && m_pass.phase() != SyncPhase::RefreshingSession)
        m_facts.nextAttemptAt = lookAt;
    if (m_facts == m_publishedFacts)
        return;
    m_publishedFacts = m_facts;
    Q_EMIT factsChanged(m_publishedFacts);
}

void SyncWorker::announce(const ChangedEntries &changed)
{
    if (!changed.isEmpty())
        Q_EMIT entriesChanged(changed);
}

void SyncWorker::failStore(const Error &error)
{
    if (!m_pass.storeFailed(now()))
        return;
    qCWarning(lcSync) << "local store:" << error.detail;
    Q_EMIT storeFailed(error);
}

} // namespace daybook
