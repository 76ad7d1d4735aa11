#include "sync/client/syncworker.h"

#include "models/domain/crashpoint.h"
#include "models/domain/logging.h"
#include "sync/client/requestbuilder.h"
#include "sync/client/retryafter.h"
#include "sync/client/retrypolicy.h"

#include <algorithm>

namespace daybook {

namespace {

using std::chrono::seconds;

/// No timer runs longer while something waits: a sleep or a changed clock is noticed then.
constexpr Milliseconds longestSleep = seconds(60);
/// Where the queue says "ready" and yet gave nothing, another process was faster.
constexpr Milliseconds raceSleep = seconds(1);
/// So many entries in a row without an answer worth the name are the server's fault, not theirs.
constexpr int failuresThatEndAPass = 5;

// One attempt is at most two exchanges: the operation and the reading of its entry.
static_assert(leaseLength > 2 * exchangeDeadline);

} // namespace

SyncWorker::SyncWorker(Parts parts)
    : m_parts(std::move(parts)),
      m_journal(*m_parts.journal),
      m_session(m_journal.account(), *m_parts.sessionTransport, *m_parts.tokens,
                std::move(m_parts.sessionWakeup), m_parts.clock),
      m_dispatcher(*m_parts.transport)
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
    if (m_phase == SyncPhase::Stopping)
        return;
    enter(SyncEvent::Stopped);
    abortAll();
    m_parts.wakeup->cancel();
}

void SyncWorker::wake(AttemptTrigger trigger)
{
    m_trigger = trigger;
    m_idleToAnnounce = true;
    // New work by the hundred must not become probes by the hundred.
    const bool isNewWork = trigger == AttemptTrigger::NewOperation || trigger == AttemptTrigger::Nudge;
    enter(isNewWork ? SyncEvent::Woken : SyncEvent::Reconnected);
    advance();
}

void SyncWorker::syncNow()
{
    m_trigger = AttemptTrigger::Manual;
    m_idleToAnnounce = true;
    enter(SyncEvent::SyncRequested);
    if (const auto changed = m_journal.clearWaits()) {
        m_waits = {};
        m_failing.clear();
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
    if (enter(offline ? SyncEvent::WentOffline : SyncEvent::WentOnline) && offline)
        abortAll();
    advance();
}

void SyncWorker::sessionRenewed()
{
    m_trigger = AttemptTrigger::SignIn;
    m_idleToAnnounce = true;
    m_accessToken.clear();
    m_refusedToken.clear();
    ++m_question;
    m_asking = false;
    m_session.renewed();
    enter(SyncEvent::SessionRenewed);
    advance();
}

void SyncWorker::timeCame()
{
    m_trigger = AttemptTrigger::Scheduled;
    if (m_wait.isOver(m_parts.clock.now())) {
        if (m_phase == SyncPhase::Blocked) {
            m_waits.blockedUntil.reset();
            m_waits.blockedReason.clear();
            saveWaits();
        }
        enter(SyncEvent::WaitOver);
    }
    advance();
}

/// One step. Everything that can change what may be done next ends here.
void SyncWorker::advance()
{
    if (m_accessToken.isEmpty() && openLanes(m_phase) > 0)
        enter(SyncEvent::SessionExpired);
    if (m_phase == SyncPhase::RefreshingSession)
        askSession();
    if (const int free = m_dispatcher.freeLanes(openLanes(m_phase)); free > 0)
        leaseAndSend(free);
    rest();
}

void SyncWorker::leaseAndSend(int limit)
{
    const auto leases = m_journal.lease(limit, m_trigger);
    if (!leases)
        return failStore(leases.error());
    ChangedEntries changed;
    for (const Lease &lease : *leases) {
        changed.append(lease.operation.entryId);
        m_dispatcher.send(operationRequest(m_journal.account(), lease.operation, m_accessToken),
                          [this, flight = Flight{lease, m_accessToken}](const TransportReply &reply) {
                              operationAnswered(flight, reply);
                          });
    }
    if (!changed.isEmpty()) {
        m_idleToAnnounce = true;
        enter(SyncEvent::Leased);
        announce(changed);
    } else if (m_dispatcher.isEmpty()) {
        adoptWaits();
        enter(SyncEvent::Drained);
    }
}

void SyncWorker::operationAnswered(const Flight &flight, const TransportReply &reply)
{
    crashPoint(CrashPoint::ReplyReceived);
    const Operation &operation = flight.lease.operation;
    const Verdict verdict = classify(operation, reply, m_parts.clock.now());
    if (verdict.kind != Verdict::Kind::ReadEntry)
        return settle(flight, verdict, reply);
    m_dispatcher.send(readEntryRequest(m_journal.account(), operation.entryId, flight.accessToken),
                      [this, flight](const TransportReply &answer) { entryRead(flight, answer); });
}

void SyncWorker::entryRead(const Flight &flight, const TransportReply &reply)
{
    Verdict verdict = classifyRead(flight.lease.operation, reply, m_parts.clock.now());
    // The operation was executed; a refused reading is no verdict on it.
    if (verdict.kind == Verdict::Kind::Refused)
        verdict.kind = Verdict::Kind::ServerError;
    settle(flight, verdict, reply);
}

/// Where writing fails nothing is lost: the row stays `sending`, its lease ends, and the server replays.
void SyncWorker::settle(const Flight &flight, const Verdict &verdict, const TransportReply &reply)
{
    const auto wait = waitAfter(flight.lease.operation, verdict);
    const auto changed = wait ? write(flight.lease, verdict, *wait) : wait.error();
    if (changed) {
        announce(*changed);
        noteExchange(flight, verdict, reply);
        judge(flight, verdict, *wait);
    } else {
        failStore(changed.error());
    }
    advance();
}

/// How long the operation, or with it the whole account, waits after \p verdict; zero where it does not.
Result<Milliseconds> SyncWorker::waitAfter(const Operation &operation, const Verdict &verdict)
{
    Random &random = m_parts.random;
    switch (verdict.kind) {
    case Verdict::Kind::AccountBlocked:
        return verdict.retryAfter ? blockedWait(*verdict.retryAfter, random)
                                  : probeWait(m_waits.probeStep + 1, random);
    case Verdict::Kind::InProgress:
        if (verdict.retryAfter)
            return blockedWait(*verdict.retryAfter, random);
        [[fallthrough]];
    case Verdict::Kind::ServerError:
    case Verdict::Kind::Unknown:
    case Verdict::Kind::Unexpected: {
        const auto charged = m_journal.chargedAttempts(operation.id);
        if (!charged)
            return charged.error();
        return operationWait(*charged + 1, random);
    }
    default: return Milliseconds(0);
    }
}

Result<ChangedEntries> SyncWorker::write(const Lease &lease, const Verdict &verdict, Milliseconds wait)
{
    switch (verdict.kind) {
    case Verdict::Kind::Confirmed:
    case Verdict::Kind::DoneOnServer: return m_journal.recordConfirmed(lease, verdict.end, *verdict.server);
    case Verdict::Kind::Conflict: return m_journal.recordConflict(lease, verdict.end, verdict.server);
    case Verdict::Kind::Refused: return m_journal.recordRefused(lease, verdict.end);
    case Verdict::Kind::AccountBlocked:
    case Verdict::Kind::InProgress:
    case Verdict::Kind::ServerError:
    case Verdict::Kind::Unknown:
    case Verdict::Kind::Unexpected: return m_journal.recordRetry(lease, verdict.end, wait);
    case Verdict::Kind::NotExecuted:
    case Verdict::Kind::SessionExpired:
    case Verdict::Kind::AccountMismatch:
    case Verdict::Kind::NotReachable:
    case Verdict::Kind::Aborted:
    case Verdict::Kind::ReadEntry: break;
    }
    return m_journal.recordUncharged(lease, verdict.end);
}

/// What the answer to one operation says about all the others.
void SyncWorker::judge(const Flight &flight, const Verdict &verdict, Milliseconds wait)
{
    switch (verdict.kind) {
    case Verdict::Kind::Confirmed:
    case Verdict::Kind::DoneOnServer:
    case Verdict::Kind::Conflict:
    case Verdict::Kind::Refused:
    case Verdict::Kind::NotExecuted:
    case Verdict::Kind::InProgress: return answered();
    case Verdict::Kind::ServerError:
    case Verdict::Kind::Unknown:
        m_failing.insert(flight.lease.operation.entryId);
        if (m_phase == SyncPhase::Probing || m_failing.size() >= failuresThatEndAPass)
            unanswered();
        return;
    case Verdict::Kind::NotReachable:
    case Verdict::Kind::Unexpected: return unanswered();
    case Verdict::Kind::AccountBlocked: return block(wait, verdict.end.errorCode);
    case Verdict::Kind::SessionExpired:
        if (flight.accessToken == m_accessToken) { // else somebody asked for another token already
            m_refusedToken = std::exchange(m_accessToken, {});
            enter(SyncEvent::SessionExpired);
        }
        return;
    case Verdict::Kind::AccountMismatch: enter(SyncEvent::AccountRefused); return;
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
    m_lastErrorCode = verdict.end.errorCode;
    m_lastErrorDetail = verdict.end.errorDetail;
}

void SyncWorker::answered()
{
    m_failing.clear();
    enter(SyncEvent::Answered);
    if (m_waits.probeStep > 0 && openLanes(m_phase) > 0) {
        m_waits = {};
        saveWaits();
    }
}

/// Ends the pass. Only the first of those that were under way together counts.
void SyncWorker::unanswered()
{
    m_failing.clear();
    if (!enter(SyncEvent::Unanswered))
        return;
    ++m_waits.probeStep;
    m_wait = {m_parts.clock.now(), probeWait(m_waits.probeStep, m_parts.random)};
    saveWaits();
}

void SyncWorker::block(Milliseconds wait, const QString &reason)
{
    const Wait asked{m_parts.clock.now(), wait};
    const bool isFirst = enter(SyncEvent::Throttled);
    if (!isFirst && (m_phase != SyncPhase::Blocked || asked.endsAt() <= m_wait.endsAt()))
        return;
    m_wait = asked;
    m_waits.blockedUntil = asked.endsAt();
    m_waits.blockedReason = reason;
    m_waits.probeStep += isFirst ? 1 : 0;
    saveWaits();
}

/// Goes on where an earlier run stopped, and respects what another process of this account was told.
void SyncWorker::adoptWaits()
{
    const auto waits = m_journal.waits();
    if (!waits)
        return failStore(waits.error());
    m_waits = *waits;
    const Instant now = m_parts.clock.now();
    if (m_waits.blockedUntil > now && enter(SyncEvent::Throttled))
        m_wait = {now, std::min(*m_waits.blockedUntil - now, maximumRetryAfter)};
}

void SyncWorker::askSession()
{
    if (std::exchange(m_asking, true))
        return;
    const auto handler = [this, question = ++m_question](const SessionAnswer &answer) {
        if (question == m_question)
            sessionAnswered(answer);
    };
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
        enter(SyncEvent::SessionRefreshed);
        break;
    case SessionAnswer::Kind::Ended: enter(SyncEvent::SessionLost); break;
    case SessionAnswer::Kind::NotReachable:
        m_reach = SyncFacts::Connection::NotReachable;
        unanswered();
        break;
    case SessionAnswer::Kind::Unavailable:
        m_reach = SyncFacts::Connection::NotResponding;
        answer.retryAfter ? block(blockedWait(*answer.retryAfter, m_parts.random), {}) : unanswered();
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
        m_parts.wakeup->schedule(std::clamp(*lookAt - m_parts.clock.now(), Milliseconds(0), longestSleep));
    else
        m_parts.wakeup->cancel();
    publishFacts(lookAt);
    if (m_dispatcher.isEmpty() && !m_asking && std::exchange(m_idleToAnnounce, false))
        Q_EMIT idle();
}

std::optional<Instant> SyncWorker::nextLookAt()
{
    const Instant now = m_parts.clock.now();
    switch (m_phase) {
    case SyncPhase::Unreachable:
    case SyncPhase::Blocked:
    case SyncPhase::StoreFailed: return m_wait.endsAt();
    case SyncPhase::RefreshingSession: return now + longestSleep;
    case SyncPhase::SignInNeeded:
    case SyncPhase::Paused:
    case SyncPhase::WorkingOffline:
    case SyncPhase::Stopping: return std::nullopt;
    case SyncPhase::Idle:
    case SyncPhase::Sending:
    case SyncPhase::Probing: break;
    }
    if (m_dispatcher.freeLanes(openLanes(m_phase)) == 0)
        return now + longestSleep;
    const auto readyAt = m_journal.nextReadyAt();
    if (!readyAt) {
        failStore(readyAt.error());
        return m_wait.endsAt();
    }
    if (!*readyAt && m_dispatcher.isEmpty() && std::exchange(m_answeredSinceEmpty, false))
        m_lastSyncedAt = now;
    return *readyAt && **readyAt <= now ? now + raceSleep : *readyAt;
}

SyncFacts::Connection SyncWorker::connection() const
{
    switch (m_phase) {
    case SyncPhase::SignInNeeded: return SyncFacts::Connection::SignInNeeded;
    case SyncPhase::Paused:
    case SyncPhase::StoreFailed: return SyncFacts::Connection::Paused;
    case SyncPhase::WorkingOffline: return SyncFacts::Connection::WorkingOffline;
    default: return m_reach;
    }
}

void SyncWorker::publishFacts(std::optional<Instant> lookAt)
{
    SyncFacts facts;
    facts.connection = connection();
    facts.busy = !m_dispatcher.isEmpty();
    facts.lastSyncedAt = m_lastSyncedAt;
    if (!facts.busy && m_phase != SyncPhase::RefreshingSession)
        facts.nextAttemptAt = lookAt;
    facts.lastErrorCode = m_lastErrorCode;
    facts.lastErrorDetail = m_lastErrorDetail;
    if (facts == m_facts)
        return;
    m_facts = facts;
    Q_EMIT factsChanged(m_facts);
}

/// Whether the phase became another one.
bool SyncWorker::enter(SyncEvent event)
{
    const SyncPhase before = std::exchange(m_phase, next(m_phase, event));
    if (m_phase != before)
        qCDebug(lcSync) << name(before) << "->" << name(m_phase);
    return m_phase != before;
}

void SyncWorker::announce(const ChangedEntries &changed)
{
    if (!changed.isEmpty())
        Q_EMIT entriesChanged(changed);
}

void SyncWorker::failStore(const Error &error)
{
    if (!enter(SyncEvent::StoreFailed))
        return;
    qCWarning(lcSync) << "local store:" << error.detail;
    m_wait = {m_parts.clock.now(), longestSleep};
    Q_EMIT storeFailed(error);
}

void SyncWorker::saveWaits()
{
    if (const auto saved = m_journal.setWaits(m_waits); !saved)
        failStore(saved.error());
}

} // namespace daybook
