#pragma once

#include "models/domain/attempt.h"
#include "models/domain/ids.h"
#include "models/domain/random.h"
#include "models/domain/result.h"
#include "models/store/syncjournal.h"
#include "sync/client/credentials.h"
#include "sync/client/dispatcher.h"
#include "sync/client/resultclassifier.h"
#include "sync/client/session.h"
#include "sync/client/syncfacts.h"
#include "sync/client/syncphase.h"
#include "sync/client/wakeup.h"

#include <QObject>
#include <QSet>

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
    /// Over when its time has passed, and also when the clock was set back to before its start.
    struct Wait
    {
        Instant startedAt;
        Milliseconds length{};

        Instant endsAt() const { return startedAt + length; }
        bool isOver(Instant now) const { return now < startedAt || now >= endsAt(); }
    };

    void timeCame();
    void advance();
    void leaseAndSend(int limit);
    void operationAnswered(const Flight &flight, const TransportReply &reply);
    void entryRead(const Flight &flight, const TransportReply &reply);
    void settle(const Flight &flight, const Verdict &verdict, const TransportReply &reply);
    Result<ChangedEntries> write(const Lease &lease, const Verdict &verdict, Milliseconds wait);
    Result<Milliseconds> waitAfter(const Operation &operation, const Verdict &verdict);
    void judge(const Flight &flight, const Verdict &verdict, Milliseconds wait);
    void noteExchange(const Flight &flight, const Verdict &verdict, const TransportReply &reply);

    void answered();
    void unanswered();
    void block(Milliseconds wait, const QString &reason);
    void adoptWaits();
    void askSession();
    void sessionAnswered(const SessionAnswer &answer);
    void abortAll();

    void rest();
    std::optional<Instant> nextLookAt();
    SyncFacts::Connection connection() const;
    void publishFacts(std::optional<Instant> lookAt);
    bool enter(SyncEvent event);
    void announce(const ChangedEntries &changed);
    void failStore(const Error &error);
    void saveWaits();

    Parts m_parts;
    SyncJournal &m_journal;
    Session m_session;
    Dispatcher m_dispatcher;

    SyncPhase m_phase = SyncPhase::Idle;
    AttemptTrigger m_trigger = AttemptTrigger::Start; ///< of what is leased next
    Wait m_wait;                                      ///< of Unreachable, Blocked and StoreFailed
    AccountWaits m_waits;                             ///< as stored
    QSet<ClientEntryId> m_failing; ///< entries whose attempts failed since the server last answered

    QString m_accessToken;  ///< empty while there is none
    QString m_refusedToken; ///< what the server said 401 to, until there is another
    int m_question = 0;     ///< the last one to the session; answers to earlier ones are stale
    bool m_asking = false;

    SyncFacts m_facts; ///< as published last
    SyncFacts::Connection m_reach = SyncFacts::Connection::Unknown;
    QString m_lastErrorCode;
    QString m_lastErrorDetail;
    std::optional<Instant> m_lastSyncedAt;
    bool m_answeredSinceEmpty = false;
    bool m_idleToAnnounce = false;
};

} // namespace daybook
