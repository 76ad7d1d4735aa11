#pragma once

#include "app/accountsession.h"
#include "app/datafolder.h"
#include "sync/client/signin.h"

#include <QObject>

#include <memory>

namespace daybook {

/// Which account is current: opens its session, signs in, up and out. Recording works all the while: there is
/// always a session, that of the local-only account when nobody is signed in. **Thread:** the window's.
class SessionController final : public QObject
{
    Q_OBJECT

public:
    SessionController(DataFolder folder, Clock &clock, Random &random, QObject *parent = nullptr);
    ~SessionController() override;

    /// Opens the store for the account that was current last.
    Result<void> openCurrent();
    /// Another program may have signed in or out on the same file.
    Result<void> followCurrent();
    AccountSession *session() { return m_session.get(); } ///< null until openCurrent() succeeded

    void signIn(const QString &serverOrigin, const QString &username, const QString &password,
                bool fileAllowed);
    void signUp(const QString &serverOrigin, const QString &username, const QString &password,
                const QString &displayName, bool fileAllowed);
    /// Gives up signing in or up; what the server has answered already holds.
    void cancelSignIn();
    /// What is unsynced stays here for the account.
    void signOut();
    /// For this and every later session.
    void setWorkingOffline(bool offline);

Q_SIGNALS:
    void sessionAboutToClose(); ///< let go of its model now
    void sessionOpened();
    void signedIn();
    void signInFailed(const daybook::Error &error);
    void failed(const daybook::Error &error);

private:
    void keepSession(const SignIn::Outcome &outcome);
    Result<void> openSession(const Account &account, const CredentialPlace &credentials);
    CredentialPlace placeOf(const Account &account, bool fileAllowed) const;

    DataFolder m_folder;
    Clock &m_clock;
    Random &m_random;
    SignIn m_signIn;
    SignIn m_signOut; ///< of the account that was left, while another one may already be signing in
    std::unique_ptr<CredentialStore> m_credentials;
    std::unique_ptr<AccountSession> m_session;
    QString m_password; ///< between signing up and the sign-in that follows it
    bool m_fileAllowed = false;
    bool m_workingOffline = false;
};

} // namespace daybook
