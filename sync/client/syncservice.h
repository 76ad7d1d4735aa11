#pragma once

#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/ids.h"
#include "models/domain/result.h"
#include "sync/client/credentials.h"
#include "sync/client/faultinjection.h"

#include <QObject>

#include <memory>

class QThread;

namespace daybook {

/// What the service is doing, as separate facts for the status bar and the CLI.
struct SyncFacts
{
    enum class Connection {
        Unknown,       ///< nothing was tried yet
        Online,        ///< the last exchange was answered by the server
        NotReachable,  ///< nothing gets out: no connection
        NotResponding, ///< something is there, but no answer of a Daybook server comes
        SignInNeeded,  ///< the session ended; the queue stays as it is
        Paused,        ///< the server named another account, or the local store failed
        WorkingOffline ///< the person said so
    };

    Connection connection = Connection::Unknown;
    bool busy = false; ///< requests are under way
    std::optional<Instant>
        lastSyncedAt; ///< when the queue was last found empty after an answer of the server
    std::optional<Instant> nextAttemptAt;
    QString lastErrorCode; ///< of the last exchange; empty after a success
    QString lastErrorDetail;

    bool operator==(const SyncFacts &) const = default;
};

/// Sends the queue of one account, on a thread of its own. The only class of this room that others talk to.
/// **Thread:** all public methods and signals in the thread that made it. **Owner:** AccountSession or the
/// CLI.
/// **Ends:** stop(), then stopped(); the destructor stops and joins, never waiting for the network.
class SyncService final : public QObject
{
    Q_OBJECT

public:
    struct Configuration
    {
        QString databasePath;
        AccountId account;
        TokenStoreFactory tokenStore;
        QList<Fault> faults; ///< active from the start
    };

    explicit SyncService(Configuration configuration, QObject *parent = nullptr);
    ~SyncService() override;

    void start();
    /// Aborts what is in flight (it becomes unknown), gives leases back, ends the thread; stopped() follows.
    void stop();

    void wake(AttemptTrigger trigger); ///< new work, a nudge, a network change: look at the queue now
    void syncNow();                    ///< ends every wait and really tries
    void setWorkingOffline(bool offline);
    void setFaults(const QList<Fault> &faults); ///< replaces all; empty for none
    /// A new session after signing in again.
    void sessionRenewed();

    const SyncFacts &facts() const { return m_facts; }

Q_SIGNALS:
    void entriesChanged(const QList<daybook::ClientEntryId> &ids);
    void factsChanged(const daybook::SyncFacts &facts);
    /// Nothing is ready or under way any more (the CLI's `sync` ends here). What is left waits for a time, a
    /// person or a session.
    void idle();
    void storeFailed(const daybook::Error &error);
    void stopped();

private:
    Configuration m_configuration;
    SyncFacts m_facts;
    QThread *m_thread = nullptr;
    class SyncWorker *m_worker = nullptr;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::SyncFacts)
