#pragma once

#include "models/domain/attempt.h"
#include "models/domain/ids.h"
#include "models/domain/result.h"
#include "sync/client/credentials.h"
#include "sync/client/faultinjection.h"
#include "sync/client/syncfacts.h"
#include "sync/client/wakeup.h"

#include <QObject>
#include <QThread>

#include <memory>

namespace daybook {

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
        QList<Fault> faults;                  ///< active from the start
        Milliseconds reopenAfter = storeWait; ///< a store that could not be opened
    };

    explicit SyncService(const Configuration &configuration, QObject *parent = nullptr);
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
    class Room;

    template<typename Step>
    void post(Step step);
    void takeFacts(const SyncFacts &facts);

    SyncFacts m_facts;
    QThread m_thread;
    std::unique_ptr<Room> m_room; ///< lives in the thread; empty of all but settings when that ends
    bool m_stopping = false;
};

} // namespace daybook
