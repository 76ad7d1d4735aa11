#pragma once

#include "models/domain/account.h"
#include "models/domain/clock.h"
#include "models/domain/result.h"
#include "sync/client/credentials.h"
#include "sync/client/transport.h"
#include "sync/client/wakeup.h"

#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QLockFile;

namespace daybook {

/// What became of asking for an access token.
struct SessionAnswer
{
    enum class Kind {
        Token,        ///< `accessToken` is worth a try
        Ended,        ///< refused for good or never there: the person has to sign in again
        NotReachable, ///< a refresh is due and nothing gets out: probe later
        Unavailable,  ///< a refresh is due and no usable answer came: after `retryAfter`, else probe later
        StoreFailed,  ///< the tokens cannot be read or kept; `error` says why
    };

    Kind kind = Kind::Ended;
    QString accessToken;
    std::optional<Milliseconds> retryAfter;
    Error error{}; ///< for all but Token

    bool operator==(const SessionAnswer &) const = default;
};

/// The access token of one account. That a token expired is known from a 401 only, never from this computer's
/// clock. However many requests are refused at once, one refresh goes out, also among several processes (lock
/// file of the TokenStore); a new pair is stored before it is used.
/// **Thread:** the worker's. Handlers are called from its event loop, never from inside a call of this class,
/// and must not destroy it. **Ends:** destroying it aborts a refresh under way and calls nobody.
class Session
{
public:
    using Handler = std::function<void(const SessionAnswer &)>;

    /// \p transport, \p tokens and \p clock must outlive it; \p wakeup is used by nobody else.
    Session(Account account, Transport &transport, TokenStore &tokens, std::unique_ptr<Wakeup> wakeup,
            const Clock &clock);
    ~Session();
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    /// The token to send with.
    void withToken(Handler handler);
    /// A request with \p accessToken got 401: answers with another token, refreshing where needed. A token
    /// that was refused fresh from its refresh, before accepted(), ends the session.
    void withTokenAfterRefusal(const QString &accessToken, Handler handler);
    /// The server answered something else than 401 to \p accessToken.
    void accepted(const QString &accessToken);
    /// The person signed in again: forgets what is held and reads the stored pair anew.
    void renewed();

private:
    void ask(Handler handler);
    void begin();
    void adoptStored();
    void refreshAlone();
    void refresh(const TokenPair &stored);
    void readReply(const TokenPair &used, const TransportReply &reply);
    void keep(const TokenPair &tokens);
    void refreshRefused(const TokenPair &used);

    void use(const TokenPair &tokens, bool fresh);
    void end();
    void fail(SessionAnswer::Kind kind, const Error &error, std::optional<Milliseconds> retryAfter = {});
    void answer(const SessionAnswer &answer);
    /// \p step, unless the session is gone or was renewed by then.
    template<typename Step>
    auto whileValid(Step step);

    Account m_account;
    Transport &m_transport;
    TokenStore &m_tokens;
    std::unique_ptr<Wakeup> m_wakeup;
    const Clock &m_clock;

    std::optional<TokenPair> m_pair;
    bool m_pairRefused = false; ///< the server answered 401 to it
    bool m_pairFresh = false;   ///< from a refresh, and not accepted by the server so far
    bool m_ended = false;

    std::vector<Handler> m_waiting;
    bool m_busy = false; ///< a step is under way that ends in answer()
    std::unique_ptr<QLockFile> m_lock;
    std::unique_ptr<TransportCall> m_call;
    std::shared_ptr<int> m_generation = std::make_shared<int>(0); ///< counts renewed()
};

} // namespace daybook
