#include "app/application.h"

namespace daybook {

namespace {

constexpr int offeredCategories = 200;

}

Application::Application(DataFolder folder, QObject *parent)
    : QObject(parent),
      m_folder(std::move(folder)),
      m_sessions(m_folder, m_clock, m_random),
      m_window(m_clock)
{
    connectWindow();
    connect(&m_sessions, &SessionController::sessionAboutToClose, this,
            [this] { m_window.setEntryModel(nullptr); });
    connect(&m_sessions, &SessionController::sessionOpened, this, &Application::connectSession);
    connect(&m_sessions, &SessionController::signedIn, &m_window, &MainWindow::signedIn);
    connect(&m_sessions, &SessionController::signInFailed, &m_window, &MainWindow::signInFailed);
    connect(&m_sessions, &SessionController::failed, &m_window, &MainWindow::requestFailed);
}

Application::~Application() { m_window.setEntryModel(nullptr); }

Result<void> Application::start()
{
    if (auto opened = m_sessions.openCurrent(); !opened)
        return opened;
    connectLink();
    m_window.show();
    return {};
}

/// Once there is a session: others may have knocked already.
void Application::connectLink()
{
    connect(&m_link, &InstanceLink::nudged, this, [this] {
        tell(m_sessions.followCurrent());
        m_sessions.session()->nudge();
    });
    connect(&m_link, &InstanceLink::raiseRequested, this, [this] {
        m_window.showNormal();
        m_window.raise();
        m_window.activateWindow();
    });
}

void Application::connectWindow()
{
    connect(&m_window, &MainWindow::addEntryRequested, this, &Application::add);
    connect(&m_window, &MainWindow::editEntryRequested, this, &Application::edit);
    connect(&m_window, &MainWindow::deleteEntriesRequested, this, &Application::remove);
    connect(&m_window, &MainWindow::retryRequested, this,
            [this](const ClientEntryId &id) { tell(m_sessions.session()->store().retryChange(id)); });
    connect(&m_window, &MainWindow::discardRequested, this,
            [this](const ClientEntryId &id) { tell(m_sessions.session()->store().discardChange(id)); });
    connect(&m_window, &MainWindow::syncNowRequested, this, [this] {
        if (SyncService *service = m_sessions.session()->service())
            service->syncNow();
    });
    connect(&m_window, &MainWindow::workOfflineRequested, &m_sessions, &SessionController::setWorkingOffline);
    connect(&m_window, &MainWindow::signInRequested, &m_sessions, &SessionController::signIn);
    connect(&m_window, &MainWindow::signUpRequested, &m_sessions, &SessionController::signUp);
    connect(&m_window, &MainWindow::signInCancelled, &m_sessions, &SessionController::cancelSignIn);
    connect(&m_window, &MainWindow::signOutRequested, &m_sessions, &SessionController::signOut);
}

void Application::connectSession()
{
    AccountSession *session = m_sessions.session();
    connect(session, &AccountSession::factsChanged, this, &Application::showFacts);
    connect(session, &AccountSession::storeFailed, &m_window, &MainWindow::requestFailed);
    m_window.setEntryModel(&session->model());
    showCategories();
    showFacts();
}

void Application::tell(const Result<void> &done)
{
    if (!done)
        m_window.requestFailed(done.error());
}

void Application::showFacts() { m_window.setFacts(m_sessions.session()->facts()); }

void Application::showCategories()
{
    if (const auto categories = m_sessions.session()->store().categories(offeredCategories))
        m_window.setCategories(*categories);
}

void Application::add(const EntryFields &fields)
{
    const auto id = m_sessions.session()->store().addEntry(fields);
    if (!id) {
        m_window.requestFailed(id.error());
        return;
    }
    m_window.entryAdded(*id);
    showCategories();
}

void Application::edit(const EntryEdit &edit)
{
    const auto done = m_sessions.session()->store().editEntry(edit);
    if (!done) {
        m_window.requestFailed(done.error());
        return;
    }
    m_window.entryEdited(edit.id);
    showCategories();
}

void Application::remove(const QList<ClientEntryId> &ids)
{
    tell(m_sessions.session()->store().deleteEntries(ids));
}

} // namespace daybook
