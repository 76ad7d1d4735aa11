#include "app/cli/networkcommands.h"

#include "app/accounts.h"
#include "app/cli/output.h"
#include "app/credentialstore.h"
#include "app/datafolder.h"
#include "app/instancelink.h"
#include "models/store/accountstore.h"
#include "sync/client/signin.h"
#include "sync/client/syncservice.h"

#include <QTextStream>
#include <QTimer>

#include <cstdio>
#include <termios.h>
#include <unistd.h>

namespace daybook {

namespace {

/// One line of standard input; a terminal is asked without showing what is typed.
QString readPassword()
{
    const bool terminal = isatty(STDIN_FILENO) != 0;
    termios shown{};
    if (terminal) {
        QTextStream(stderr) << "Password: " << Qt::flush;
        tcgetattr(STDIN_FILENO, &shown);
        termios hidden = shown;
        hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
    }
    QString line = QTextStream(stdin).readLine();
    if (terminal) {
        tcsetattr(STDIN_FILENO, TCSANOW, &shown);
        QTextStream(stderr) << "\n";
    }
    return line;
}

CredentialPlace placeOf(const Account &account, const DataFolder &folder, bool fileAllowed = false)
{
    return {folder.path(), account.serverOrigin, account.serverAccountId, fileAllowed,
            std::make_shared<TokenMemory>()};
}

Error notSignedIn()
{
    return {ErrorKind::Credentials, QStringLiteral("nobody is signed in here; use sign-in first")};
}

/// `sign-up` and `sign-in`: get a session, keep it, make its account the current one.
class SignInCommand final : public NetworkCommand
{
public:
    SignInCommand(const Arguments &arguments, const DataFolder &folder)
        : m_arguments(arguments),
          m_folder(folder)
    {
        connect(&m_signIn, &SignIn::failed, this,
                [this](const Error &error) { Q_EMIT finished(fail(error)); });
        connect(&m_signIn, &SignIn::signedUp, this,
                [this] { m_signIn.signIn(m_arguments.serverOrigin, m_arguments.username, m_password); });
        connect(&m_signIn, &SignIn::signedIn, this, &SignInCommand::keepSession);
    }

    void start() override
    {
        m_password = readPassword();
        if (m_arguments.command == QLatin1String("sign-up"))
            m_signIn.signUp(m_arguments.serverOrigin, m_arguments.username, m_password,
                            m_arguments.displayName);
        else
            m_signIn.signIn(m_arguments.serverOrigin, m_arguments.username, m_password);
    }

private:
    void keepSession(const SignIn::Outcome &outcome)
    {
        m_password.clear();
        m_account = outcome.account;
        m_credentials =
            std::make_unique<CredentialStore>(placeOf(m_account, m_folder, m_arguments.keepSessionInFile));
        m_credentials->store(outcome.tokens, [this](const Result<void> &stored) {
            if (!stored)
                Q_EMIT finished(fail(stored.error()));
            else if (!m_credentials->isPersistent())
                Q_EMIT finished(
                    fail({ErrorKind::Credentials,
                          QStringLiteral("this system has no keychain to keep the session in; repeat with "
                                         "--keep-session-in-file to keep it in a file only you can read")}));
            else
                Q_EMIT finished(makeAccountCurrent());
        });
    }

    ExitCode makeAccountCurrent()
    {
        const auto account = makeCurrent(m_folder, m_account);
        if (!account)
            return fail(account.error());
        tellInstance(m_folder, InstanceMessage::Nudge);
        if (m_arguments.json)
            print(QJsonObject{{QStringLiteral("username"), account->username},
                              {QStringLiteral("accountId"), account->serverAccountId},
                              {QStringLiteral("server"), account->serverOrigin}});
        else
            print(QStringLiteral("signed in as %1 at %2\n").arg(account->username, account->serverOrigin));
        return ExitCode::Success;
    }

    const Arguments &m_arguments;
    const DataFolder &m_folder;
    SignIn m_signIn;
    QString m_password;
    Account m_account;
    std::unique_ptr<CredentialStore> m_credentials;
};

/// `sign-out`: everything unsynced stays here for the account; the session ends on both sides.
class SignOutCommand final : public NetworkCommand
{
public:
    SignOutCommand(const Arguments &arguments, const DataFolder &folder, Clock &clock, Random &random)
        : m_arguments(arguments),
          m_folder(folder),
          m_clock(clock),
          m_random(random)
    {
        // Whether the server hears of it or not, this computer is signed out.
        connect(&m_signIn, &SignIn::signedOut, this, &SignOutCommand::forgetSession);
        connect(&m_signIn, &SignIn::failed, this, &SignOutCommand::forgetSession);
    }

    void start() override
    {
        const auto account = currentAccount(m_folder);
        if (!account || account->isLocalOnly()) {
            Q_EMIT finished(fail(account ? notSignedIn() : account.error()));
            return;
        }
        m_account = *account;
        if (const auto left = leaveAccount(m_folder, m_account.id); !left) {
            Q_EMIT finished(fail(left.error()));
            return;
        }
        tellInstance(m_folder, InstanceMessage::Nudge); // a window sends no more before the session ends
        m_credentials = std::make_unique<CredentialStore>(placeOf(m_account, m_folder));
        m_credentials->load([this](const Result<std::optional<TokenPair>> &loaded) {
            if (loaded && *loaded)
                m_signIn.signOut(m_account.serverOrigin, (*loaded)->accessToken);
            else
                forgetSession();
        });
    }

private:
    void forgetSession()
    {
        m_credentials->clear([this](const Result<void> &cleared) {
            Q_EMIT finished(cleared ? tellWhatStays() : fail(cleared.error()));
        });
    }

    ExitCode tellWhatStays()
    {
        const auto store = AccountStore::open(m_folder.databasePath(), m_account.id, m_clock, m_random);
        const auto summary = store ? (*store)->queueSummary() : Result<QueueSummary>(store.error());
        if (!summary)
            return fail(summary.error());
        if (m_arguments.json)
            print(QJsonObject{{QStringLiteral("username"), m_account.username},
                              {QStringLiteral("unsynced"), summary->unfinished()}});
        else
            print(QStringLiteral("signed out %1; %2 unsynced changes stay here for this account\n")
                      .arg(m_account.username)
                      .arg(summary->unfinished()));
        return ExitCode::Success;
    }

    const Arguments &m_arguments;
    const DataFolder &m_folder;
    Clock &m_clock;
    Random &m_random;
    SignIn m_signIn;
    Account m_account;
    std::unique_ptr<CredentialStore> m_credentials;
};

/// `sync`: ends every wait, sends what is ready and ends when nothing is left to do now.
class SyncCommand final : public NetworkCommand
{
public:
    SyncCommand(const Arguments &arguments, const DataFolder &folder, Clock &clock, Random &random)
        : m_arguments(arguments),
          m_folder(folder),
          m_clock(clock),
          m_random(random)
    {
    }

    void start() override
    {
        const auto account = currentAccount(m_folder);
        if (!account || account->isLocalOnly() || !account->signedIn) {
            Q_EMIT finished(fail(account ? notSignedIn() : account.error()));
            return;
        }
        auto store = AccountStore::open(m_folder.databasePath(), account->id, m_clock, m_random);
        if (!store) {
            Q_EMIT finished(fail(store.error()));
            return;
        }
        m_store = std::move(*store);
        m_service = std::make_unique<SyncService>(SyncService::Configuration{
            m_folder.databasePath(), account->id,
            [place = placeOf(*account, m_folder)] { return std::make_unique<CredentialStore>(place); },
            m_arguments.faults});
        connect(m_service.get(), &SyncService::idle, this, &SyncCommand::end);
        connect(m_service.get(), &SyncService::storeFailed, this,
                [this](const Error &error) { m_storeError = error; });
        QTimer::singleShot(m_arguments.timeout, this, &SyncCommand::end);
        m_service->start();
        m_service->syncNow();
    }

private:
    void end()
    {
        if (m_ended)
            return;
        m_ended = true;
        const SyncFacts facts = m_service->facts();
        connect(m_service.get(), &SyncService::stopped, this,
                [this, facts] { Q_EMIT finished(tell(facts)); });
        m_service->stop();
    }

    ExitCode tell(const SyncFacts &facts)
    {
        tellInstance(m_folder, InstanceMessage::Nudge);
        if (m_storeError)
            return fail(*m_storeError);
        const auto summary = m_store->queueSummary();
        if (!summary)
            return fail(summary.error());
        if (m_arguments.json)
            print(toJson(*summary));
        else
            print(QStringLiteral("waiting: %1, needs attention: %2, conflicts: %3\n")
                      .arg(summary->waiting())
                      .arg(summary->needAttention())
                      .arg(summary->conflict));
        if (facts.connection == SyncFacts::Connection::SignInNeeded)
            return fail({ErrorKind::Credentials, QStringLiteral("the session has ended; sign in again")});
        if (summary->sending > 0)
            QTextStream(stderr)
                << "daybook-cli: another program is sending, or was ended while it did: what it had "
                   "begun is tried again within 90 seconds.\n";
        if (summary->waiting() > 0) {
            if (!facts.lastErrorDetail.isEmpty())
                QTextStream(stderr) << "daybook-cli: " << facts.lastErrorDetail << "\n";
            return ExitCode::StillWaiting;
        }
        return summary->unfinished() > 0 ? ExitCode::NeedsAttention : ExitCode::Success;
    }

    const Arguments &m_arguments;
    const DataFolder &m_folder;
    Clock &m_clock;
    Random &m_random;
    std::unique_ptr<AccountStore> m_store;
    std::unique_ptr<SyncService> m_service;
    std::optional<Error> m_storeError;
    bool m_ended = false;
};

} // namespace

bool NetworkCommand::handles(const QString &command)
{
    return command.startsWith(QLatin1String("sign-")) || command == QLatin1String("sync");
}

std::unique_ptr<NetworkCommand> NetworkCommand::create(const Arguments &arguments, const DataFolder &folder,
                                                       Clock &clock, Random &random)
{
    if (arguments.command == QLatin1String("sync"))
        return std::make_unique<SyncCommand>(arguments, folder, clock, random);
    if (arguments.command == QLatin1String("sign-out"))
        return std::make_unique<SignOutCommand>(arguments, folder, clock, random);
    return std::make_unique<SignInCommand>(arguments, folder);
}

} // namespace daybook
