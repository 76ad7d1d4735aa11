#include "sync/client/syncservice.h"

#include "models/domain/logging.h"
#include "models/store/syncjournal.h"
#include "sync/client/networktransport.h"
#include "sync/client/syncworker.h"
#include "sync/client/timerwakeup.h"

#include <QCoreApplication>
#include <QTimer>
#include <QUuid>

namespace daybook {

namespace {

/// No two that are alive have the same, not even in one process.
QString newLeaseOwner()
{
    return QStringLiteral("%1/%2")
        .arg(QCoreApplication::applicationPid())
        .arg(QUuid::createUuid().toString(QUuid::WithoutBraces));
}

} // namespace

/// What lives in the service's thread: the worker and all it works with are made, used and closed there.
class SyncService::Room final : public QObject
{
public:
    Room(const Configuration &configuration, SyncService &service)
        : m_configuration(configuration),
          m_service(service)
    {
        m_reopening.setSingleShot(true);
        connect(&m_reopening, &QTimer::timeout, this, &Room::open);
    }

    void open();
    void close();
    /// Opens first where that failed before.
    void take(const std::function<void(SyncWorker &)> &step);
    void setWorkingOffline(bool offline);
    void setFaults(const QList<Fault> &faults);

private:
    std::unique_ptr<SyncWorker> makeWorker(std::unique_ptr<SyncJournal> journal);
    void tell();
    void tellFailure(const Error &error);

    Configuration m_configuration;
    SyncService &m_service; ///< outlives the thread; only posted to
    SystemClock m_clock;
    SystemRandom m_random;
    QTimer m_reopening{this}; ///< a child, so that it moves to the thread too
    bool m_workingOffline = false;
    FaultyTransport *m_transport = nullptr; ///< the worker's
    std::unique_ptr<SyncWorker> m_worker;   ///< null while the store cannot be opened
};

void SyncService::Room::open()
{
    Q_ASSERT(QThread::currentThread() == thread());
    if (m_worker)
        return;
    auto journal = SyncJournal::open(m_configuration.databasePath, m_configuration.account, newLeaseOwner(),
                                     m_clock, m_random);
    if (!journal) {
        m_reopening.start(m_configuration.reopenAfter);
        return tellFailure(journal.error());
    }
    m_worker = makeWorker(std::move(*journal));
    tell();
    if (m_workingOffline)
        m_worker->setWorkingOffline(true);
    m_worker->start();
}

std::unique_ptr<SyncWorker> SyncService::Room::makeWorker(std::unique_ptr<SyncJournal> journal)
{
    auto transport =
        std::make_unique<FaultyTransport>(std::make_unique<NetworkTransport>(), m_configuration.faults);
    m_transport = transport.get();
    return std::make_unique<SyncWorker>(
        SyncWorker::Parts{std::move(journal), std::move(transport), std::make_unique<NetworkTransport>(),
                          m_configuration.tokenStore(), std::make_unique<TimerWakeup>(),
                          std::make_unique<TimerWakeup>(), m_clock, m_random});
}

/// All of these cross the threads: the service gets them queued.
void SyncService::Room::tell()
{
    connect(m_worker.get(), &SyncWorker::entriesChanged, &m_service, &SyncService::entriesChanged);
    connect(m_worker.get(), &SyncWorker::factsChanged, &m_service, &SyncService::takeFacts);
    connect(m_worker.get(), &SyncWorker::idle, &m_service, &SyncService::idle);
    connect(m_worker.get(), &SyncWorker::storeFailed, &m_service, &SyncService::storeFailed);
}

void SyncService::Room::tellFailure(const Error &error)
{
    qCWarning(lcSync) << "local store:" << error.detail;
    const auto inItsThread = [service = &m_service, error] {
        SyncFacts facts = service->m_facts;
        facts.connection = SyncFacts::Connection::Paused;
        service->takeFacts(facts);
        Q_EMIT service->storeFailed(error);
        Q_EMIT service->idle();
    };
    QMetaObject::invokeMethod(&m_service, inItsThread, Qt::QueuedConnection);
}

void SyncService::Room::close()
{
    Q_ASSERT(QThread::currentThread() == thread());
    m_reopening.stop();
    m_worker.reset();
    thread()->quit();
}

void SyncService::Room::take(const std::function<void(SyncWorker &)> &step)
{
    open();
    if (m_worker)
        step(*m_worker);
}

void SyncService::Room::setWorkingOffline(bool offline)
{
    m_workingOffline = offline;
    take([offline](SyncWorker &worker) { worker.setWorkingOffline(offline); });
}

void SyncService::Room::setFaults(const QList<Fault> &faults)
{
    m_configuration.faults = faults;
    if (m_worker)
        m_transport->setFaults(faults);
}

SyncService::SyncService(const Configuration &configuration, QObject *parent)
    : QObject(parent),
      m_room(std::make_unique<Room>(configuration, *this))
{
    m_thread.setObjectName(QStringLiteral("sync"));
    m_room->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, this, &SyncService::stopped);
}

SyncService::~SyncService()
{
    stop();
    m_thread.wait();
}

void SyncService::start()
{
    post([](Room &room) { room.open(); });
    m_thread.start();
}

void SyncService::stop()
{
    if (m_stopping)
        return;
    post([](Room &room) { room.close(); });
    m_stopping = true;
    if (!m_thread.isRunning())
        QMetaObject::invokeMethod(this, &SyncService::stopped, Qt::QueuedConnection);
}

void SyncService::wake(AttemptTrigger trigger)
{
    post([trigger](Room &room) { room.take([trigger](SyncWorker &worker) { worker.wake(trigger); }); });
}

void SyncService::syncNow()
{
    post([](Room &room) { room.take([](SyncWorker &worker) { worker.syncNow(); }); });
}

void SyncService::setWorkingOffline(bool offline)
{
    post([offline](Room &room) { room.setWorkingOffline(offline); });
}

void SyncService::setFaults(const QList<Fault> &faults)
{
    post([faults](Room &room) { room.setFaults(faults); });
}

void SyncService::sessionRenewed()
{
    post([](Room &room) { room.take([](SyncWorker &worker) { worker.sessionRenewed(); }); });
}

/// What is posted before start() is done after it, and nothing after stop().
template<typename Step>
void SyncService::post(Step step)
{
    if (!m_stopping)
        QMetaObject::invokeMethod(
            m_room.get(), [room = m_room.get(), step] { step(*room); }, Qt::QueuedConnection);
}

void SyncService::takeFacts(const SyncFacts &facts)
{
    m_facts = facts;
    Q_EMIT factsChanged(m_facts);
}

} // namespace daybook
