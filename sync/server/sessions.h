#pragma once

#include "models/domain/clock.h"
#include "sync/protocol/messages.h"
#include "sync/server/request.h"
#include "sync/server/transaction.h"

namespace daybook {

/// Who is asking, from the access token.
struct Actor
{
    qint64 id = 0;
    qint64 sessionId = 0;
    AccountResource account;
};

/// Empty: the Daybook-Account header names the actor's account. Operations on entries need it, elsewhere it
/// may be absent.
enum class AccountHeader { Required, Optional };
std::optional<Problem> checkAccount(const ServerRequest &request, const Actor &actor, AccountHeader need);

/// The sessions and their token pairs as one transaction sees them.
///
/// A session is a family of pairs: each refresh adds one. The newest pair is the current one; the one it was
/// made from is the previous one. A pair whose reply was lost is voided when the previous refresh token comes
/// again.
class Sessions
{
public:
    Sessions(Transaction &transaction, Instant now, std::chrono::seconds accessTokenLifetime);

    /// The actor of the request's bearer token, or a 401. Notes the first use of a pair, so that the previous
    /// refresh token cannot void it any more.
    Decoded<Actor> authenticate(const ServerRequest &request);
    SessionResource start(qint64 actorId, const AccountResource &account, const QString &deviceName);
    /// The rotation rules of the protocol.
    Decoded<SessionResource> refresh(const QString &refreshToken);
    void end(qint64 sessionId);
    void endAllOf(qint64 actorId);

private:
    /// The two newest pairs of a session that are not voided; 0 where there is none.
    struct NewestPairs
    {
        qint64 current = 0;
        qint64 previous = 0;
        std::optional<Instant> currentUsedAt;
    };

    NewestPairs newestPairs(qint64 sessionId);
    SessionResource addPair(qint64 sessionId, qint64 number, const AccountResource &account);
    void voidPair(qint64 sessionId, qint64 number);

    Transaction &m_transaction;
    const Instant m_now;
    const std::chrono::seconds m_lifetime;
};

} // namespace daybook
