#pragma once

#include "models/domain/attempt.h"
#include "models/domain/ids.h"
#include "models/domain/result.h"
#include "sync/client/credentials.h"
#include "sync/client/dispatcher.h"
#include "sync/client/resultclassifier.h"
#include "sync/client/session.h"
#include "sync/client/syncfacts.h"
#include "sync/client/syncpass.h"
#include "sync/client/wakeup.h"

#include <QObject>

namespace daybook {

/// A step of the queue at a time: leases what is ready, sends it, has the answer classified, writes down what
/// came of it, and sees to it that it is woken again.
/// **Thread:** the one that made it and all its parts. **Ends:** as stop() says.
class SyncWorker final : public QObject
{
    Q_OBJECT

public:
    struct Parts
    {
        std::unique_ptr<SyncJournal> journal;
        std::unique_ptr<Transport> transport;
        std::unique_ptr<Transport> sessionTransport; ///< apart, so that a refresh never queues behind entries
        std::unique_ptr<TokenStore> tokens;
        std::unique_ptr<Wakeup> wakeup;
        std::unique_ptr<Wakeup> sessionWakeup;
        Clock &clock;
        Random &random;
    };

    explicit SyncWorker(Parts parts);
    ~SyncWorker() override;

    void start();
    /// Aborts what is under way (it becomes unknown), gives its leases back and does nothing any more.
    void stop();
    void wake(AttemptTrigger trigger);
    void syncNow();
    void setWorkingOffline(bool offline);
    void sessionRenewed();

Q_SIGNALS:
    void entriesChanged(const QList<daybook::ClientEntryId> &ids);
    void factsChanged(const daybook::SyncFacts &facts);
    void idle();
    void storeFailed(const daybook::Error &error);

private:
    /// An operation under way and the token it was sent with.
    struct Flight
    {
        Lease lease;
        QString accessToken;
    };

    Instant now() const { return m_parts.clock.now(); }
    void timeCame();
    void advance();
    void leaseAndSend(int limit);
    void operationAnswered(const Flight &flight, const TransportReply &reply);
    void entryRead(const Flight &flight, const TransportReply &reply);
    void settle(const Flight &flight, const Verdict &verdict, const TransportReply &reply);
    void judge(const Flight &flight, const Verdict &verdict, Milliseconds wait);
    void noteExchange(const Flight &flight, const Verdict &verdict, const TransportReply &reply);

    void adoptWaits();
    void saveWaits();
    void askSession();
    void sessionAnswered(const SessionAnswer &answer);
    void abortAll();

    void rest();
    bool isIdle() const;
    void announceIdle();
    std::optional<Instant> nextLookAt();
    SyncFacts::Connection connection() const;
    void publishFacts(std::optional<Instant> lookAt);
    void announce(const ChangedEntries &changed);
    void failStore(const Error &error);

    Parts m_parts;
    SyncJournal &m_journal;
    Session m_session;
    Dispatcher m_dispatcher;

    SyncPass m_pass;
    AccountWaits m_savedWaits;                        ///< as they stand in the store
    AttemptTrigger m_trigger = AttemptTrigger::Start; ///< of what is leased next

    QString m_accessToken;  ///< empty while there is none
    QString m_refusedToken; ///< what the server said 401 to, until there is another
    bool m_asking = false;

    SyncFacts m_facts;
    SyncFacts m_publishedFacts;
    SyncFacts::Connection m_reach = SyncFacts::Connection::Unknown; ///< what the last exchange showed
    bool m_answeredSinceEmpty = false;
    bool m_idleToAnnounce = false;
};

} // namespace daybook
