#include "sync/server/sessions.h"

#include "models/domain/logging.h"
#include "sync/protocol/endpoints.h"
#include "sync/server/secrets.h"

namespace daybook {
namespace {

/// For so long after the first use of a pair the previous refresh token is a race of two processes of the
/// same device; later it is a stolen token.
constexpr std::chrono::seconds raceTolerance{60};

Problem unauthenticated(const char *detail)
{
    return {ProblemCode::Unauthenticated, QString::fromLatin1(detail)};
}

/// Empty: there is not exactly one bearer token.
QString bearerToken(const ServerRequest &request)
{
    const QByteArray scheme = "bearer ";
    const QList<QByteArray> lines = request.headerLines("Authorization");
    if (lines.size() != 1 || !lines.first().toLower().startsWith(scheme))
        return {};
    return QString::fromLatin1(lines.first().mid(scheme.size()).trimmed());
}

} // namespace

std::optional<Problem> checkAccount(const ServerRequest &request, const Actor &actor, AccountHeader need)
{
    const QList<QByteArray> lines = request.headerLines(header::account);
    if (lines.isEmpty() && need == AccountHeader::Optional)
        return std::nullopt;
    if (lines.size() != 1 || lines.first().isEmpty())
        return Problem{ProblemCode::AccountHeaderMissing,
                       QStringLiteral("One Daybook-Account header with the account's id is needed.")};
    if (QString::fromLatin1(lines.first()) != actor.account.accountId)
        return Problem{ProblemCode::AccountMismatch,
                       QStringLiteral("The operation belongs to another account than the session.")};
    return std::nullopt;
}

Sessions::Sessions(Transaction &transaction, Instant now, std::chrono::seconds accessTokenLifetime)
    : m_transaction(transaction),
      m_now(now),
      m_lifetime(accessTokenLifetime)
{
}

Decoded<Actor> Sessions::authenticate(const ServerRequest &request)
{
    const QString token = bearerToken(request);
    if (token.isEmpty())
        return unauthenticated("Sign in: one Authorization header with a bearer token is needed.");
    Actor actor;
    qint64 number = 0;
    bool unused = false;
    {
        Rows rows = m_transaction.execute(
            "SELECT session_id, number, access_expires_at, first_used_at, actor_id, account_id, username,"
            " display_name FROM token_pairs JOIN sessions USING (session_id) JOIN accounts USING (actor_id)"
            " WHERE access_hash = ? AND voided = 0",
            {tokenHash(token)});
        if (!rows.next())
            return unauthenticated("This session is not known or has ended.");
        if (m_now >= fromEpochMilliseconds(rows.integer(2)))
            return Problem{ProblemCode::TokenExpired, QStringLiteral("The access token has expired.")};
        actor = {rows.integer(4), rows.integer(0), {rows.text(5), rows.text(6), rows.text(7)}};
        number = rows.integer(1);
        unused = rows.isNull(3);
    }
    if (unused && !m_transaction.mayWrite())
        m_transaction.repeatAsWrite();
    else if (unused)
        m_transaction.execute("UPDATE token_pairs SET first_used_at = ? WHERE session_id = ? AND number = ?",
                              {toEpochMilliseconds(m_now), actor.sessionId, number});
    return actor;
}

SessionResource Sessions::start(qint64 actorId, const AccountResource &account, const QString &deviceName)
{
    qint64 sessionId = 0;
    {
        Rows rows = m_transaction.execute("INSERT INTO sessions (actor_id, device_name, created_at)"
                                          " VALUES (?, ?, ?) RETURNING session_id",
                                          {actorId, deviceName, toEpochMilliseconds(m_now)});
        if (rows.next())
            sessionId = rows.integer(0);
    }
    return addPair(sessionId, 1, account);
}

Decoded<SessionResource> Sessions::refresh(const QString &refreshToken)
{
    const Problem refused = unauthenticated("This refresh token is not valid any more.");
    qint64 sessionId = 0;
    qint64 number = 0;
    AccountResource account;
    {
        Rows rows = m_transaction.execute(
            "SELECT session_id, number, account_id, username, display_name FROM token_pairs"
            " JOIN sessions USING (session_id) JOIN accounts USING (actor_id)"
            " WHERE refresh_hash = ? AND voided = 0",
            {tokenHash(refreshToken)});
        if (!rows.next())
            return refused;
        sessionId = rows.integer(0);
        number = rows.integer(1);
        account = {rows.text(2), rows.text(3), rows.text(4)};
    }
    const NewestPairs newest = newestPairs(sessionId);
    if (number == newest.current)
        return addPair(sessionId, newest.current + 1, account);
    if (number == newest.previous && !newest.currentUsedAt) {
        voidPair(sessionId, newest.current);
        return addPair(sessionId, newest.current + 1, account);
    }
    if (number == newest.previous && m_now - *newest.currentUsedAt <= raceTolerance)
        return refused;
    qCWarning(lcServer, "An old refresh token was used: its session ends");
    end(sessionId);
    return refused;
}

Sessions::NewestPairs Sessions::newestPairs(qint64 sessionId)
{
    NewestPairs newest;
    Rows rows = m_transaction.execute("SELECT number, first_used_at FROM token_pairs"
                                      " WHERE session_id = ? AND voided = 0 ORDER BY number DESC LIMIT 2",
                                      {sessionId});
    if (rows.next()) {
        newest.current = rows.integer(0);
        if (!rows.isNull(1))
            newest.currentUsedAt = fromEpochMilliseconds(rows.integer(1));
    }
    if (rows.next())
        newest.previous = rows.integer(0);
    return newest;
}

void Sessions::end(qint64 sessionId)
{
    m_transaction.execute("DELETE FROM sessions WHERE session_id = ?", {sessionId});
}

void Sessions::endAllOf(qint64 actorId)
{
    m_transaction.execute("DELETE FROM sessions WHERE actor_id = ?", {actorId});
}

/// No pair of a living session is deleted: only its hash tells a stolen old refresh token, which ends the
/// session, from one that never was.
SessionResource Sessions::addPair(qint64 sessionId, qint64 number, const AccountResource &account)
{
    const SessionResource session{newToken(), m_lifetime, newToken(), account};
    m_transaction.execute("INSERT INTO token_pairs (session_id, number, access_hash, refresh_hash,"
                          " access_expires_at) VALUES (?, ?, ?, ?, ?)",
                          {sessionId, number, tokenHash(session.accessToken), tokenHash(session.refreshToken),
                           toEpochMilliseconds(m_now + m_lifetime)});
    return session;
}

void Sessions::voidPair(qint64 sessionId, qint64 number)
{
    m_transaction.execute("UPDATE token_pairs SET voided = 1 WHERE session_id = ? AND number = ?",
                          {sessionId, number});
}

} // namespace daybook
