#include "models/store/accountrepository.h"

#include "models/store/statement.h"
#include "models/store/syncjournal.h"

namespace daybook {

namespace {

constexpr QLatin1StringView columns(
    "SELECT account_id, server_origin, server_account_id, username, display_name, signed_in FROM accounts ");

Result<Account> readAccount(const Statement &row)
{
    return Account{AccountId(row.number(0)), row.text(1), row.text(2), row.text(3), row.text(4), row.flag(5)};
}

Result<AccountWaits> readWaits(const Statement &row)
{
    return AccountWaits{row.maybeInstant(0), row.text(1), static_cast<int>(row.number(2))};
}

Error noSuchAccount()
{
    return {ErrorKind::NotFound, QStringLiteral("there is no such account in this store")};
}

template<typename... Values>
Result<Account> selectAccount(Connection &connection, QLatin1StringView condition, const Values &...values)
{
    const auto found = selectFirst(connection, QString(columns) + condition, readAccount, values...);
    if (!found)
        return found.error();
    if (!*found)
        return noSuchAccount();
    return **found;
}

} // namespace

Result<Account> AccountRepository::byId(AccountId id) const
{
    return selectAccount(m_connection, QLatin1StringView("WHERE account_id = ?"), id);
}

Result<Account> AccountRepository::localOnly() const
{
    return selectAccount(m_connection, QLatin1StringView("WHERE server_origin = ''"));
}

Result<Account> AccountRepository::current() const
{
    // The local-only account is never signed in, so it comes last.
    return selectAccount(m_connection,
                         QLatin1StringView("WHERE signed_in = 1 OR server_origin = '' "
                                           "ORDER BY signed_in DESC, sign_in_number DESC LIMIT 1"));
}

Result<Account> AccountRepository::signIn(Transaction &, const Account &account)
{
    if (account.serverOrigin.isEmpty() || account.serverAccountId.isEmpty())
        return Error{ErrorKind::InvalidArgument, QStringLiteral("an account to sign in needs a server")};
    if (const auto left = execute(m_connection, QStringLiteral("UPDATE accounts SET signed_in = 0")); !left)
        return left.error();
    const auto written =
        change(m_connection,
               QStringLiteral("INSERT INTO accounts (server_origin, server_account_id, username, "
                              "display_name, signed_in, sign_in_number) "
                              "VALUES (?, ?, ?, ?, 1, (SELECT max(sign_in_number) + 1 FROM accounts)) "
                              "ON CONFLICT (server_origin, server_account_id) DO UPDATE SET "
                              "username = excluded.username, display_name = excluded.display_name, "
                              "signed_in = 1, sign_in_number = excluded.sign_in_number"),
               account.serverOrigin, account.serverAccountId, account.username, account.displayName);
    if (!written)
        return written.error();
    return selectAccount(m_connection, QLatin1StringView("WHERE server_origin = ? AND server_account_id = ?"),
                         account.serverOrigin, account.serverAccountId);
}

Result<void> AccountRepository::signOut(Transaction &, AccountId id)
{
    const auto written =
        change(m_connection, QStringLiteral("UPDATE accounts SET signed_in = 0 WHERE account_id = ?"), id);
    if (!written)
        return written.error();
    if (*written == 0)
        return noSuchAccount();
    return {};
}

Result<AccountWaits> AccountRepository::waits(AccountId id) const
{
    const auto found = selectFirst(
        m_connection,
        QStringLiteral("SELECT blocked_until, blocked_reason, probe_step FROM accounts WHERE account_id = ?"),
        readWaits, id);
    if (!found)
        return found.error();
    return *found ? Result<AccountWaits>(**found) : Result<AccountWaits>(noSuchAccount());
}

Result<void> AccountRepository::setWaits(Transaction &, AccountId id, const AccountWaits &waits)
{
    return execute(m_connection,
                   QStringLiteral("UPDATE accounts SET blocked_until = ?, blocked_reason = ?, "
                                  "probe_step = ? WHERE account_id = ?"),
                   waits.blockedUntil, waits.blockedReason, waits.probeStep, id);
}

Result<QString> AccountRepository::installId() const
{
    const auto found = selectFirst(
        m_connection, QStringLiteral("SELECT value FROM meta WHERE key = 'install_id'"), readText);
    return found ? Result<QString>(found->value_or(QString())) : Result<QString>(found.error());
}

} // namespace daybook
