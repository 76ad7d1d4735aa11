#include "sync/server/accounts.h"

#include "sync/server/reply.h"
#include "sync/server/secrets.h"
#include "sync/server/sessions.h"

#include <QUuid>

namespace daybook {
namespace {

using Outcome = Storage::Outcome;

/// What two spellings of one user name have in common.
QString usernameKey(const QString &username)
{
    return username.normalized(QString::NormalizationForm_KC)
        .toCaseFolded()
        .normalized(QString::NormalizationForm_KC);
}

ServerReply usernameTaken()
{
    return problemReply({ProblemCode::UsernameTaken, QStringLiteral("Another account has this user name.")});
}

ServerReply invalidCredentials()
{
    return problemReply(
        {ProblemCode::InvalidCredentials, QStringLiteral("User name or password is not right.")});
}

} // namespace

Accounts::Accounts(Storage &storage, const Clock &clock, std::chrono::seconds accessTokenLifetime)
    : m_storage(storage),
      m_clock(clock),
      m_accessTokenLifetime(accessTokenLifetime)
{
}

ServerReply Accounts::signUp(const SignUpRequest &request)
{
    std::optional<Known> known;
    if (const Outcome outcome = find(request.username, known); outcome != Outcome::Durable)
        return notDone(outcome);
    if (!known)
        return add(request);
    if (!isPassword(request.password, known->passwordHash))
        return usernameTaken();
    return jsonReply(200, encodeAccount(known->account));
}

ServerReply Accounts::add(const SignUpRequest &request)
{
    const QByteArray passwordHash = hashPassword(request.password);
    if (passwordHash.isEmpty())
        return notDone(Outcome::Unavailable);
    const AccountResource account{QUuid::createUuid().toString(QUuid::WithoutBraces), request.username,
                                  request.displayName};
    bool added = false;
    const Outcome outcome = m_storage.writeNow([&](Transaction &transaction) {
        added = transaction
                    .execute("INSERT INTO accounts (account_id, username, username_key, display_name,"
                             " password_hash, created_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                             {account.accountId, account.username, usernameKey(account.username),
                              account.displayName, QString::fromLatin1(passwordHash),
                              toEpochMilliseconds(m_clock.now())})
                    .changedSomething();
    });
    if (outcome != Outcome::Durable)
        return notDone(outcome);
    return added ? jsonReply(201, encodeAccount(account)) : signUp(request); // somebody was faster
}

ServerReply Accounts::signIn(const SignInRequest &request)
{
    std::optional<Known> known;
    if (const Outcome outcome = find(request.username, known); outcome != Outcome::Durable)
        return notDone(outcome);
    if (!known) {
        hashPassword(request.password); // so that the time does not tell who has an account
        return invalidCredentials();
    }
    if (!isPassword(request.password, known->passwordHash))
        return invalidCredentials();

    std::optional<SessionResource> session;
    const Outcome outcome = m_storage.writeNow([&](Transaction &transaction) {
        // The password may have been changed while it was checked.
        if (!transaction
                 .execute("SELECT 1 FROM accounts WHERE actor_id = ? AND password_hash = ?",
                          {known->actorId, QString::fromLatin1(known->passwordHash)})
                 .next())
            return;
        session = Sessions(transaction, m_clock.now(), m_accessTokenLifetime)
                      .start(known->actorId, known->account, request.deviceName);
    });
    if (outcome != Outcome::Durable)
        return notDone(outcome);
    return session ? jsonReply(201, encodeSession(*session)) : invalidCredentials();
}

Result<void> Accounts::changePassword(const QString &username, const QString &newPassword)
{
    const Error notStored{ErrorKind::StoreUnavailable, QStringLiteral("The password could not be stored.")};
    const QByteArray passwordHash = hashPassword(newPassword);
    if (passwordHash.isEmpty())
        return notStored;
    bool changed = false;
    const Outcome outcome = m_storage.writeNow([&](Transaction &transaction) {
        Rows rows = transaction.execute(
            "UPDATE accounts SET password_hash = ? WHERE username_key = ? RETURNING actor_id",
            {QString::fromLatin1(passwordHash), usernameKey(username)});
        changed = rows.next();
        if (changed)
            Sessions(transaction, m_clock.now(), m_accessTokenLifetime).endAllOf(rows.integer(0));
    });
    if (outcome != Outcome::Durable)
        return notStored;
    if (!changed)
        return Error{ErrorKind::NotFound, QStringLiteral("There is no account with this user name.")};
    return {};
}

Storage::Outcome Accounts::find(const QString &username, std::optional<Known> &known)
{
    return m_storage.readNow([&](Transaction &transaction) {
        Rows rows = transaction.execute("SELECT actor_id, account_id, username, display_name, password_hash"
                                        " FROM accounts WHERE username_key = ?",
                                        {usernameKey(username)});
        if (rows.next())
            known =
                Known{rows.integer(0), {rows.text(1), rows.text(2), rows.text(3)}, rows.text(4).toLatin1()};
    });
}

ServerReply notDone(Storage::Outcome outcome)
{
    if (outcome == Outcome::Unavailable)
        return problemReply({ProblemCode::StorageUnavailable,
                             QStringLiteral("The database is not available; nothing was done.")});
    return problemReply(
        {ProblemCode::InternalError, QStringLiteral("A fault of the server; nothing was done.")});
}

} // namespace daybook
