#pragma once

#include "models/domain/account.h"
#include "models/domain/result.h"
#include "sync/client/credentials.h"
#include "sync/client/faultinjection.h"

#include <QObject>

#include <memory>

namespace daybook {

/// A one-off exchange with a server for signing up and in, before there is an account to run a service for.
/// One at a time: a new one ends the one under way.
/// **Thread:** the one that made it, which must run an event loop. Destroying it aborts.
class SignIn final : public QObject
{
    Q_OBJECT

public:
    struct Outcome
    {
        Account account; ///< without a local id yet
        TokenPair tokens;
    };

    explicit SignIn(QList<Fault> faults = {}, QObject *parent = nullptr);
    explicit SignIn(std::unique_ptr<Transport> transport, QObject *parent = nullptr);
    ~SignIn() override;

    /// \p serverOrigin as a person types it: `https://example.org`, perhaps with a slash behind. The account
    /// in the answer has it in its one canonical form.
    void signUp(const QString &serverOrigin, const QString &username, const QString &password,
                const QString &displayName);
    void signIn(const QString &serverOrigin, const QString &username, const QString &password);
    /// Gives up what is under way; nothing more is heard of it.
    void cancel();
    /// Ends the session on the server; the answer does not matter to anybody but the log.
    void signOut(const QString &serverOrigin, const QString &accessToken);

Q_SIGNALS:
    void signedUp(const daybook::Account &account);
    void signedIn(const daybook::SignIn::Outcome &outcome);
    void signedOut();
    void failed(const daybook::Error &error);

private:
    void failLater(const Error &error);

    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace daybook
