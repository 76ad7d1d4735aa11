#include "app/accountsession.h"

#include "models/domain/logging.h"

namespace daybook {

namespace {

constexpr Milliseconds factsInterval(100);

WindowFacts::Connection toWindow(SyncFacts::Connection connection)
{
    switch (connection) {
    case SyncFacts::Connection::Unknown: return WindowFacts::Connection::Unknown;
    case SyncFacts::Connection::Online: return WindowFacts::Connection::Online;
    case SyncFacts::Connection::NotReachable: return WindowFacts::Connection::Offline;
    case SyncFacts::Connection::NotResponding: return WindowFacts::Connection::ServerNotResponding;
    case SyncFacts::Connection::SignInNeeded: return WindowFacts::Connection::SignInAgain;
    case SyncFacts::Connection::Paused: return WindowFacts::Connection::Paused;
    case SyncFacts::Connection::WorkingOffline: return WindowFacts::Connection::WorkingOffline;
    }
    return WindowFacts::Connection::Unknown;
}

} // namespace

Result<std::unique_ptr<AccountSession>> AccountSession::open(const DataFolder &folder, const Account &account,
                                                             const CredentialPlace &credentials, Clock &clock,
                                                             Random &random)
{
    auto store = AccountStore::open(folder.databasePath(), account.id, clock, random);
    if (!store)
        return store.error();
    return std::unique_ptr<AccountSession>(new AccountSession(std::move(*store), credentials));
}

AccountSession::AccountSession(std::unique_ptr<AccountStore> store, CredentialPlace credentials)
    : m_credentials(std::move(credentials)),
      m_store(std::move(store)),
      m_model(std::make_unique<EntryTableModel>(*m_store))
{
    m_factsTimer.setSingleShot(true);
    m_factsTimer.setInterval(factsInterval);
    connect(&m_factsTimer, &QTimer::timeout, this, &AccountSession::factsChanged);
    const auto refresh = [this] {
        if (!m_factsTimer.isActive())
            m_factsTimer.start();
    };
    connect(m_store.get(), &AccountStore::entriesChanged, this, &AccountSession::entriesChanged);
    connect(this, &AccountSession::entriesChanged, m_model.get(), &EntryTableModel::entriesChanged);
    connect(this, &AccountSession::entriesChanged, this, refresh);
}

AccountSession::~AccountSession() = default;

void AccountSession::startService(const DataFolder &folder, bool workingOffline)
{
    if (account().isLocalOnly())
        return;
    m_service = std::make_unique<SyncService>(SyncService::Configuration{
        folder.databasePath(),
        account().id,
        [place = m_credentials] { return std::make_unique<CredentialStore>(place); },
        {},
    });
    connect(m_service.get(), &SyncService::entriesChanged, this, &AccountSession::entriesChanged);
    connect(m_service.get(), &SyncService::factsChanged, this, &AccountSession::factsChanged);
    connect(m_service.get(), &SyncService::storeFailed, this, &AccountSession::storeFailed);
    connect(m_store.get(), &AccountStore::operationQueued, m_service.get(),
            [service = m_service.get()] { service->wake(AttemptTrigger::NewOperation); });
    m_service->setWorkingOffline(workingOffline);
    m_service->start();
}

WindowFacts AccountSession::facts() const
{
    WindowFacts facts;
    facts.account = m_store->account();
    facts.connection = WindowFacts::Connection::NoAccount;
    if (const auto summary = m_store->queueSummary())
        facts.queue = *summary;
    else
        facts.problem = QStringLiteral("STORE_FAILED");
    facts.nextAttemptAt = facts.queue.nextAttemptAt;
    if (!m_service)
        return facts;
    const SyncFacts &sync = m_service->facts();
    facts.connection = toWindow(sync.connection);
    facts.busy = sync.busy;
    facts.lastSyncedAt = sync.lastSyncedAt ? sync.lastSyncedAt : facts.queue.lastConfirmedAt;
    facts.nextAttemptAt = sync.nextAttemptAt;
    if (!sync.lastErrorCode.isEmpty())
        facts.problem = sync.lastErrorCode;
    return facts;
}

void AccountSession::nudge()
{
    m_model->refresh();
    if (m_service && m_service->facts().connection == SyncFacts::Connection::SignInNeeded)
        m_service->sessionRenewed(); // the other program may have signed in
    else if (m_service)
        m_service->wake(AttemptTrigger::Nudge);
    Q_EMIT factsChanged();
}

} // namespace daybook
