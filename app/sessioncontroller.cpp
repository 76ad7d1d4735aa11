#include "app/sessioncontroller.h"

#include "app/accounts.h"

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
    const auto account = currentAccount(m_folder);
    return account ? openSession(*account, placeOf(*account, false)) : Result<void>(account.error());
}

Result<void> SessionController::followCurrent()
{
    const auto account = currentAccount(m_folder);
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
            const auto known = stored ? makeCurrent(m_folder, account) : Result<Account>(stored.error());
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
    const auto next = leaveAccount(m_folder, account.id);
    if (!next) {
        Q_EMIT failed(next.error());
        return;
    }
    if (const auto opened = openSession(*next, placeOf(*next, false)); !opened)
        Q_EMIT failed(opened.error());
    credentials->load([this, credentials, account](const Result<std::optional<TokenPair>> &loaded) {
        if (loaded && *loaded)
            m_signOut.signOut(account.serverOrigin, (*loaded)->accessToken);
        credentials->clear([credentials](const Result<void> &) {});
    });
}

void SessionController::setWorkingOffline(bool offline)
{
    m_workingOffline = offline;
    if (SyncService *service = m_session->service())
        service->setWorkingOffline(offline);
}

Result<void> SessionController::openSession(const Account &account, const CredentialPlace &credentials)
{
    auto session = AccountSession::open(m_folder, account, credentials, m_clock, m_random);
    if (!session)
        return session.error();
    Q_EMIT sessionAboutToClose();
    m_session = std::move(*session); // the former one ends here, before anything is sent for this one
    m_session->startService(m_folder, m_workingOffline);
    Q_EMIT sessionOpened();
    return {};
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
