#pragma once

#include "app/datafolder.h"
#include "app/instancelink.h"
#include "app/sessioncontroller.h"
#include "models/domain/clock.h"
#include "models/domain/random.h"
#include "ui/mainwindow.h"

#include <QObject>

namespace daybook {

/// The composition root: makes the parts and connects what the window asks for with who does it. Holds no
/// rule.
/// **Thread:** the window's.
class Application final : public QObject
{
    Q_OBJECT

public:
    explicit Application(DataFolder folder, QObject *parent = nullptr);
    ~Application() override;

    /// Opens the store and shows the window. The error says why there is nothing to show.
    Result<void> start();

    MainWindow &window() { return m_window; }
    SessionController &sessions() { return m_sessions; }
    const Clock &clock() const { return m_clock; }

    InstanceLink &instanceLink() { return m_link; }

private:
    void connectWindow();
    void connectLink();
    void connectSession();
    void showFacts();
    void showCategories();
    void add(const EntryFields &fields);
    void edit(const EntryEdit &edit);
    void remove(const QList<ClientEntryId> &ids);
    void tell(const Result<void> &done); ///< the person, if it failed

    DataFolder m_folder;
    SystemClock m_clock;
    SystemRandom m_random;
    InstanceLink m_link;
    SessionController m_sessions;
    MainWindow m_window; ///< goes first, while the model it shows is alive
};

} // namespace daybook
