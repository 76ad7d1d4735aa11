#pragma once

#include "models/store/accountrepository.h"
#include "models/store/accountstore.h"
#include "models/store/audit.h"
#include "models/store/connection.h"
#include "models/store/transaction.h"
#include "sync/client/syncworker.h"
#include "tests/support/fakeclock.h"
#include "tests/support/fakeserver.h"
#include "tests/support/fakewakeup.h"
#include "tests/support/memorytokenstore.h"

#include <QTemporaryDir>

#include <algorithm>

namespace daybook {

/// One account with a real store, a sync worker in the test's own thread, and time and network in the test's
/// hands.
class SyncWorld
{
public:
    using Reply = std::function<TransportReply(const TransportRequest &)>;

    FakeClock clock;
    SeededRandom random{7};
    FakeServer server;
    std::shared_ptr<MemoryTokenStore::Place> tokens = std::make_shared<MemoryTokenStore::Place>();
    /// What answers requests on entries and on the session.
    Reply answerEntries = [this](const TransportRequest &request) { return server.entries(request); };
    Reply answerSession = [this](const TransportRequest &request) { return server.refresh(request); };

    SyncWorld()
    {
        tokens->tokens = {QStringLiteral("token-1"), QStringLiteral("refresh-1")};
        const auto connection = Connection::open(path()).value();
        auto transaction = Transaction::begin(*connection).value();
        Account ann;
        ann.serverOrigin = QStringLiteral("https://sync.example");
        ann.serverAccountId = QStringLiteral("acc");
        ann.username = QStringLiteral("ann");
        ann.signedIn = true;
        m_account = AccountRepository(*connection).signIn(transaction, ann).value().id;
        if (!transaction.commit())
            qFatal("the account cannot be made");
        store = AccountStore::open(path(), m_account, clock, random).value();
    }

    QString path() const { return m_folder.filePath(QStringLiteral("daybook.sqlite")); }

    QList<ClientEntryId> add(int count)
    {
        QList<ClientEntryId> ids;
        for (int i = 0; i < count; ++i) {
            EntryFields fields;
            fields.value = DecimalValue::fromThousandths(1000 * (i + 1)).value();
            fields.recordedAt.instant = clock.now();
            ids.append(store->addEntry(fields).value());
        }
        return ids;
    }

    /// Makes the worker, as after a start of the program; the one before ends.
    void start()
    {
        worker.reset();
        auto network = std::make_unique<FakeTransport>();
        auto sessionNetwork = std::make_unique<FakeTransport>();
        auto workerWakeup = std::make_unique<FakeWakeup>();
        auto sessionWakeup = std::make_unique<FakeWakeup>();
        transport = network.get();
        sessionTransport = sessionNetwork.get();
        wakeup = workerWakeup.get();
        m_sessionWakeup = sessionWakeup.get();
        const QString owner = QStringLiteral("owner-%1").arg(++m_starts);
        worker = std::make_unique<SyncWorker>(SyncWorker::Parts{
            SyncJournal::open(path(), m_account, owner, clock, random).value(), std::move(network),
            std::move(sessionNetwork), std::make_unique<MemoryTokenStore>(tokens), std::move(workerWakeup),
            std::move(sessionWakeup), clock, random});
        QObject::connect(worker.get(), &SyncWorker::factsChanged, worker.get(),
                         [this](const SyncFacts &now) { facts = now; });
        QObject::connect(worker.get(), &SyncWorker::idle, worker.get(), [this] { ++idleCount; });
        worker->start();
        askSession();
    }

    /// Lets the session do what it does without time passing.
    void askSession()
    {
        while (m_sessionWakeup->pending() == Milliseconds(0))
            m_sessionWakeup->fire();
    }

    /// Answers all requests until none is left; no time passes.
    void serve()
    {
        do {
            askSession();
            answerOpen(*transport, answerEntries);
            answerOpen(*sessionTransport, answerSession);
        } while (transport->openCount() + sessionTransport->openCount() > 0 ||
                 m_sessionWakeup->pending() == Milliseconds(0));
    }

    /// Lets time pass, served and woken as scheduled.
    void run(Milliseconds length)
    {
        const Instant end = clock.now() + length;
        for (serve(); wakeup->pending() && clock.now() + *wakeup->pending() <= end; serve()) {
            clock.advance(*wakeup->pending());
            wakeup->fire();
        }
        clock.advance(std::max(end - clock.now(), Milliseconds(0)));
    }

    SyncState badge(const ClientEntryId &id) const { return store->entry(id).value().sync.state; }
    QueueSummary summary() const { return store->queueSummary().value(); }
    Operation operation(const ClientEntryId &id) const { return store->operations(id).value().last(); }
    QList<Attempt> attempts(const ClientEntryId &id) const
    {
        return store->attempts(operation(id).id).value();
    }
    int highestOpenCount() const { return m_highestOpenCount; }
    QByteArray key(size_t request) const
    {
        return headerOf(transport->request(request), header::idempotencyKey);
    }
    /// How many requests bore the operation id of this entry's operation.
    int sentCount(const ClientEntryId &id) const
    {
        int sent = 0;
        for (size_t i = 0; i < transport->count(); ++i)
            sent += key(i) == operation(id).id.toString().toLatin1() ? 1 : 0;
        return sent;
    }
    bool isSound() const
    {
        const AuditReport report = audit(*Connection::open(path()).value()).value();
        for (const Finding &finding : report.findings)
            qWarning() << finding.invariant << finding.detail;
        return report.clean();
    }

    std::unique_ptr<AccountStore> store;
    std::unique_ptr<SyncWorker> worker;
    FakeTransport *transport = nullptr;
    FakeTransport *sessionTransport = nullptr;
    FakeWakeup *wakeup = nullptr;
    SyncFacts facts;
    int idleCount = 0;

private:
    void answerOpen(FakeTransport &network, const Reply &reply)
    {
        m_highestOpenCount = std::max(m_highestOpenCount, static_cast<int>(transport->openCount()));
        for (size_t i = 0; i < network.count(); ++i) {
            if (network.isOpen(i))
                network.answer(i, reply(network.request(i)));
        }
    }

    QTemporaryDir m_folder;
    AccountId m_account;
    FakeWakeup *m_sessionWakeup = nullptr;
    int m_starts = 0;
    int m_highestOpenCount = 0;
};

} // namespace daybook
