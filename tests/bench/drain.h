#pragma once

#include "app/datafolder.h"
#include "models/domain/account.h"
#include "models/domain/clock.h"
#include "sync/client/signin.h"
#include "sync/client/syncservice.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace daybook {

/// Signs in to a server and sends the queue of a data folder to it, once. What was saved before there was a
/// server becomes this account's. **Ends:** with finished().
class Drain final : public QObject
{
    Q_OBJECT

public:
    explicit Drain(DataFolder folder);

    /// \p server is an origin, such as `http://127.0.0.1:8080`.
    void start(const QString &server, const QString &username, const QString &password);

Q_SIGNALS:
    void finished(const daybook::Result<QByteArray> &line); ///< what to print

private:
    void send(const SignIn::Outcome &outcome);
    Result<void> takeAccount(const Account &signedIn);
    void stop();
    Result<QByteArray> measured() const;

    DataFolder m_folder;
    SystemClock m_clock;
    SignIn m_signIn;
    Account m_account;
    Instant m_startedAt;
    QElapsedTimer m_timer;
    double m_milliseconds = 0;
    std::unique_ptr<SyncService> m_service;
};

} // namespace daybook
