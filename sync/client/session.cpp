#include "sync/client/session.h"

#include "models/domain/logging.h"
#include "sync/client/requestbuilder.h"
#include "sync/client/resultclassifier.h"
#include "sync/protocol/messages.h"

#include <QLockFile>

namespace daybook {

namespace {

using Kind = SessionAnswer::Kind;

constexpr Milliseconds lockPollInterval{200};
/// Longer than a refresh can take, so that only the lock of a dead process is taken over.
constexpr Milliseconds staleLockAge = std::chrono::seconds(90);

std::optional<SessionResource> decodeRenewal(const TransportReply &reply)
{
    const bool isSuccess = reply.end == TransportReply::End::Complete && reply.status == 200;
    return isSuccess && speaksProtocol(reply) ? decodeSession(reply.body) : std::nullopt;
}

} // namespace

Session::Session(Account account, Transport &transport, TokenStore &tokens, std::unique_ptr<Wakeup> wakeup,
                 const Clock &clock)
    : m_account(std::move(account)),
      m_transport(transport),
      m_tokens(tokens),
      m_wakeup(std::move(wakeup)),
      m_clock(clock)
{
    m_wakeup->onWake([this] { begin(); });
}

Session::~Session() = default;

template<typename Step>
auto Session::whileValid(Step step)
{
    return [step = std::move(step), generation = *m_generation,
            current = std::weak_ptr(m_generation)](auto &&...arguments) {
        if (const auto now = current.lock(); now && *now == generation)
            step(std::forward<decltype(arguments)>(arguments)...);
    };
}

void Session::withToken(Handler handler) { ask(std::move(handler)); }

void Session::withTokenAfterRefusal(const QString &accessToken, Handler handler)
{
    if (m_pair && m_pair->accessToken == accessToken)
        m_pairRefused = true;
    ask(std::move(handler));
}

void Session::accepted(const QString &accessToken)
{
    if (m_pair && m_pair->accessToken == accessToken)
        m_pairFresh = false;
}

void Session::renewed()
{
    ++*m_generation; // what is under way was for the old session
    m_call.reset();
    m_lock.reset();
    m_wakeup->cancel();
    m_pair.reset();
    m_pairRefused = m_pairFresh = m_ended = m_busy = false;
    if (!m_waiting.empty())
        ask(nullptr);
}

void Session::ask(Handler handler)
{
    if (handler)
        m_waiting.push_back(std::move(handler));
    if (m_busy)
        return;
    m_busy = true;
    m_wakeup->schedule(Milliseconds(0));
}

void Session::begin()
{
    if (m_ended)
        end();
    else if (!m_pair)
        adoptStored();
    else if (m_pairRefused)
        refreshAlone();
    else
        answer({Kind::Token, m_pair->accessToken, {}});
}

void Session::adoptStored()
{
    m_tokens.load(whileValid([this](const Result<std::optional<TokenPair>> &stored) {
        if (!stored)
            fail(Kind::StoreFailed, stored.error());
        else if (*stored)
            use(**stored, false);
        else
            end();
    }));
}

/// Takes the lock of this account's tokens, waiting while another process refreshes, and looks at what is
/// stored before anything is sent: that process may have done it.
void Session::refreshAlone()
{
    if (const QString path = m_tokens.refreshLockPath(); !path.isEmpty()) {
        m_lock = std::make_unique<QLockFile>(path);
        m_lock->setStaleLockTime(staleLockAge);
        if (!m_lock->tryLock(0)) {
            if (m_lock->error() != QLockFile::LockFailedError)
                return fail(
                    Kind::StoreFailed,
                    {ErrorKind::Credentials, QStringLiteral("the lock file of the session cannot be made")});
            return m_wakeup->schedule(lockPollInterval); // and begin() again
        }
    }
    m_tokens.load(whileValid([this](const Result<std::optional<TokenPair>> &stored) {
        if (!stored)
            fail(Kind::StoreFailed, stored.error());
        else if (!*stored)
            end();
        else if ((*stored)->accessToken != m_pair->accessToken)
            use(**stored, false);
        else if (m_pairFresh)
            end();
        else
            refresh(**stored);
    }));
}

void Session::refresh(const TokenPair &stored)
{
    qCDebug(lcSync) << "refreshing the session of account" << m_account.id.key();
    m_call = m_transport.send(
        refreshRequest(m_account.serverOrigin, stored.refreshToken),
        whileValid([this, stored](const TransportReply &reply) { readReply(stored, reply); }));
}

void Session::readReply(const TokenPair &used, const TransportReply &reply)
{
    if (const std::optional<SessionResource> renewal = decodeRenewal(reply)) {
        if (renewal->account.accountId != m_account.serverAccountId)
            return end();
        return keep({renewal->accessToken, renewal->refreshToken});
    }
    const Verdict verdict = classifyFailure(reply, m_clock.now());
    const Error error{ErrorKind::Network, verdict.end.errorDetail};
    if (verdict.kind == Verdict::Kind::SessionExpired)
        refreshRefused(used);
    else if (verdict.kind == Verdict::Kind::NotReachable)
        fail(Kind::NotReachable, error);
    else
        fail(Kind::Unavailable, error, verdict.retryAfter);
}

/// A pair that cannot be kept is not used either: its first use would make the stored one worthless.
void Session::keep(const TokenPair &tokens)
{
    m_tokens.store(tokens, whileValid([this, tokens](const Result<void> &stored) {
                       if (stored)
                           use(tokens, true);
                       else
                           fail(Kind::StoreFailed, stored.error());
                   }));
}

/// Somebody who could not see the lock may have been faster; otherwise the stored pair is worth nothing any
/// more.
void Session::refreshRefused(const TokenPair &used)
{
    m_tokens.load(whileValid([this, used](const Result<std::optional<TokenPair>> &stored) {
        if (stored && *stored && **stored != used)
            return use(**stored, false);
        m_tokens.clear(whileValid([this](const Result<void> &) { end(); }));
    }));
}

void Session::use(const TokenPair &tokens, bool fresh)
{
    m_pair = tokens;
    m_pairFresh = fresh;
    m_pairRefused = false;
    answer({Kind::Token, tokens.accessToken, {}});
}

void Session::end()
{
    m_ended = true;
    fail(Kind::Ended, {ErrorKind::Credentials, QStringLiteral("the session has ended")});
}

void Session::fail(Kind kind, const Error &error, std::optional<Milliseconds> retryAfter)
{
    answer({kind, {}, retryAfter, error});
}

void Session::answer(const SessionAnswer &answer)
{
    m_busy = false;
    m_lock.reset();
    m_call.reset();
    const std::vector<Handler> waiting = std::exchange(m_waiting, {});
    for (const Handler &handler : waiting)
        handler(answer);
}

} // namespace daybook
