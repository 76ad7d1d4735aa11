#include "app/sessioncontroller.h"

#include "models/store/accountrepository.h"
#include "models/store/connection.h"
#include "models/store/transaction.h"

namespace daybook {

SessionController::SessionController(DataFolder folder, Clock &clock, Random &random, QObject *parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_clock(clock),
      m_random(random)
{
    connect(&m_signIn, &SignIn::failed, this, [this](const Error &error) {
        m_password.clear();
        Q_EMIT signInFailed(error);
    });
    connect(&m_signIn, &SignIn::signedIn, this, &SessionController::keepSession);
    connect(&m_signIn, &SignIn::signedUp, this, [this](const Account &account) {
        m_signIn.signIn(account.serverOrigin, account.username, std::exchange(m_password, {}));
    });
}

SessionController::~SessionController() = default;

Result<void> SessionController::openCurrent()
{
    const auto account = currentAccount();
    return account ? openSession(*account, placeOf(*account, false)) : Result<void>(account.error());
}

Result<void> SessionController::followCurrent()
{
    const auto account = currentAccount();
    if (!account)
        return account.error();
    if (*account != m_session->account())
        return openSession(*account, placeOf(*account, false));
    return {};
}

void SessionController::signIn(const QString &serverOrigin, const QString &username, const QString &password,
                               bool fileAllowed)
{
    m_fileAllowed = fileAllowed;
    m_signIn.signIn(serverOrigin, username, password);
}

void SessionController::signUp(const QString &serverOrigin, const QString &username, const QString &password,
                               const QString &displayName, bool fileAllowed)
{
    m_fileAllowed = fileAllowed;
    m_password = password;
    m_signIn.signUp(serverOrigin, username, password, displayName);
}

void SessionController::cancelSignIn()
{
    m_signIn.cancel();
    m_password.clear();
}

void SessionController::keepSession(const SignIn::Outcome &outcome)
{
    const CredentialPlace place = placeOf(outcome.account, m_fileAllowed);
    m_credentials = std::make_unique<CredentialStore>(place);
    m_credentials->store(
        outcome.tokens, [this, place, account = outcome.account](const Result<void> &stored) {
            const auto known = stored ? makeCurrent(account) : Result<Account>(stored.error());
            if (!known) {
                Q_EMIT signInFailed(known.error());
                return;
            }
            if (m_session && m_session->account().id == known->id && m_session->service())
                m_session->service()->sessionRenewed();
            else if (const auto opened = openSession(*known, place); !opened)
                Q_EMIT failed(opened.error());
            Q_EMIT signedIn();
        });
}

void SessionController::signOut()
{
    if (!m_session || m_session->account().isLocalOnly())
        return;
    const Account account = m_session->account();
    const auto credentials = std::make_shared<CredentialStore>(m_session->credentials());
    const auto local = leave(account);
    if (!local) {
        Q_EMIT failed(local.error());
        return;
    }
    if (const auto opened = openSession(*local, placeOf(*local, false)); !opened)
        Q_EMIT failed(opened.error());
    credentials->load([this, credentials, account](const Result<std::optional<TokenPair>> &loaded) {
        if (loaded && *loaded)
            m_signOut.signOut(account.serverOrigin, (*loaded)->accessToken);
        credentials->clear([credentials](const Result<void> &) {});
    });
}

Result<void> SessionController::openSession(const Account &account, const CredentialPlace &credentials)
{
    auto session = AccountSession::open(m_folder, account, credentials, m_clock, m_random);
    if (!session)
        return session.error();
    Q_EMIT sessionAboutToClose();
    m_session = std::move(*session);
    Q_EMIT sessionOpened();
    return {};
}

Result<Account> SessionController::currentAccount() const
{
    const auto connection = Connection::open(m_folder.databasePath());
    return connection ? AccountRepository(**connection).current() : Result<Account>(connection.error());
}

Result<Account> SessionController::makeCurrent(const Account &account)
{
    const auto connection = Connection::open(m_folder.databasePath());
    if (!connection)
        return connection.error();
    auto transaction = Transaction::begin(**connection);
    if (!transaction)
        return transaction.error();
    auto known = AccountRepository(**connection).signIn(*transaction, account);
    if (!known)
        return known;
    if (const auto committed = transaction->commit(); !committed)
        return committed.error();
    return known;
}

Result<Account> SessionController::leave(const Account &account)
{
    const auto connection = Connection::open(m_folder.databasePath());
    if (!connection)
        return connection.error();
    auto transaction = Transaction::begin(**connection);
    if (!transaction)
        return transaction.error();
    const AccountRepository accounts(**connection);
    if (const auto left = AccountRepository(**connection).signOut(*transaction, account.id); !left)
        return left.error();
    if (const auto committed = transaction->commit(); !committed)
        return committed.error();
    return accounts.localOnly();
}

CredentialPlace SessionController::placeOf(const Account &account, bool fileAllowed) const
{
    CredentialPlace place{m_folder.path(), account.serverOrigin, account.serverAccountId, fileAllowed};
    // A session that was signed in again goes on with the memory that its service reads from.
    if (m_session && m_session->account().serverOrigin == account.serverOrigin &&
        m_session->account().serverAccountId == account.serverAccountId)
        place.memory = m_session->credentials().memory;
    return place;
}

} // namespace daybook
