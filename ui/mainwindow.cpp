#include "ui/mainwindow.h"

#include "models/items/entrytablemodel.h"
#include "models/items/recordedtext.h"
#include "ui/badgemodel.h"
#include "ui/entryeditor.h"
#include "ui/entrytable.h"
#include "ui/factsbar.h"
#include "ui/glyph.h"
#include "ui/messageline.h"
#include "ui/problemtext.h"
#include "ui/quickentry.h"
#include "ui/signindialog.h"
#include "ui/signoutdialog.h"
#include "ui/syncbadge.h"
#include "ui/windowactions.h"

#include <QAction>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QStatusBar>
#include <QVBoxLayout>

namespace daybook {

namespace {

/// More at once would be read and asked about entry by entry.
constexpr int maximumDeletedAtOnce = 1000;

/// Which form an answer belongs to. Requests are answered before the next one can be made.
enum class Asked { Nothing, Add, Edit };

QString summary(const Entry &entry, const QLocale &locale)
{
    QStringList parts{entry.fields.value.toUserText(locale)};
    if (!entry.fields.category.isEmpty())
        parts << entry.fields.category;
    return parts.join(QLatin1Char(' ')) + QStringLiteral(", ") +
           recordedText(entry.fields.recordedAt, locale);
}

/// Takes a dialog away that may itself be in the middle of the signal that asked for it.
template<typename Dialog>
void dismiss(QPointer<Dialog> &dialog)
{
    if (!dialog)
        return;
    dialog->disconnect();
    dialog->hide();
    dialog->deleteLater();
    dialog.clear();
}

} // namespace

struct MainWindow::Private
{
    Private(MainWindow *w, const Clock &c)
        : window(w),
          clock(c),
          actions(w),
          badges(new BadgeModel(c, w)),
          quickEntry(new QuickEntry(c)),
          message(new MessageLine(MessageLine::Closing::ByPerson)),
          table(new EntryTable),
          facts(new FactsBar(c))
    {
    }

    void layOut();
    void connectActions();
    void adaptToSelection();
    void editSelected();
    void deleteSelected();
    void discardSelected();
    void signIn();
    void signOut();
    void confirm(const QString &question, const QString &details, const QString &yes,
                 const std::function<void()> &then);
    void resolveSelected(void (MainWindow::*request)(const ClientEntryId &));

    MainWindow *window;
    const Clock &clock;
    WindowActions actions;
    BadgeModel *badges;
    QuickEntry *quickEntry;
    MessageLine *message;
    EntryTable *table;
    FactsBar *facts;
    QPointer<EntryEditor> editor;
    QPointer<QMessageBox> question;
    QPointer<SignInDialog> signInDialog;
    QStringList categories;
    WindowFacts known;
    Asked asked = Asked::Nothing;
};

void MainWindow::Private::layOut()
{
    window->setWindowTitle(tr("Daybook"));
    window->setWindowIcon(programIcon());
    window->setContextMenuPolicy(Qt::NoContextMenu); // the tool bar is not to be lost by a slip
    auto *middle = new QWidget;
    auto *column = new QVBoxLayout(middle);
    column->addWidget(quickEntry);
    column->addWidget(message);
    column->addWidget(table, 1);
    window->setCentralWidget(middle);
    window->statusBar()->addWidget(facts, 1);
    window->resize(QSize(960, 640).boundedTo(window->screen()->availableSize()));

    table->setEmptyText(tr("No entries yet.\nType a value above and press Enter."));
    table->setModel(badges);
    table->addActions({actions.edit, actions.remove, actions.retry, actions.discard});
    // Keys for the list are keys of the list: Del in a field deletes a character there.
    actions.edit->setShortcutContext(Qt::WidgetShortcut);
    actions.remove->setShortcutContext(Qt::WidgetShortcut);
    quickEntry->setFocus();
}

void MainWindow::Private::connectActions()
{
    connect(actions.newEntry, &QAction::triggered, quickEntry,
            [this] { quickEntry->setFocus(Qt::ShortcutFocusReason); });
    connect(actions.quit, &QAction::triggered, window, &QWidget::close);
    connect(actions.edit, &QAction::triggered, window, [this] { editSelected(); });
    connect(actions.remove, &QAction::triggered, window, [this] { deleteSelected(); });
    connect(actions.retry, &QAction::triggered, window,
            [this] { resolveSelected(&MainWindow::retryRequested); });
    connect(actions.discard, &QAction::triggered, window, [this] { discardSelected(); });
    connect(actions.syncNow, &QAction::triggered, window, &MainWindow::syncNowRequested);
    connect(actions.workOffline, &QAction::triggered, window, &MainWindow::workOfflineRequested);
    connect(actions.signIn, &QAction::triggered, window, [this] { signIn(); });
    connect(actions.signOut, &QAction::triggered, window, [this] { signOut(); });
    connect(actions.about, &QAction::triggered, window, [this] {
        confirm(tr("Daybook %1").arg(QStringLiteral(DAYBOOK_VERSION)),
                tr("Numbers with a time, with or without a network, never lost and never twice."), {}, {});
    });
    connect(table, &EntryTable::openRequested, window, [this] { editSelected(); });
    connect(table, &EntryTable::selectionChangedOrUpdated, window, [this] { adaptToSelection(); });
    connect(quickEntry, &QuickEntry::saveRequested, window, [this](const EntryFields &fields) {
        asked = Asked::Add;
        Q_EMIT window->addEntryRequested(fields);
    });
}

void MainWindow::Private::adaptToSelection()
{
    const int count = table->selectedCount();
    const QList<Entry> one = count == 1 ? table->selectedEntries() : QList<Entry>();
    const SyncStatus status = one.isEmpty() ? SyncStatus{SyncState::Synced, {}, {}} : one.first().sync;
    // Without a code it was not refused: a newer version made it, and it is kept for that one as it is.
    const bool refused = status.state == SyncState::NeedsAttention && !status.errorCode.isEmpty();
    actions.edit->setEnabled(count == 1);
    actions.remove->setEnabled(count > 0);
    actions.retry->setVisible(refused);
    actions.discard->setVisible(refused || status.state == SyncState::Conflict);
}

void MainWindow::Private::editSelected()
{
    const QList<Entry> one = table->selectedCount() == 1 ? table->selectedEntries() : QList<Entry>();
    if (one.isEmpty() || editor)
        return;
    editor = new EntryEditor(one.first(), categories, clock, window);
    editor->setAttribute(Qt::WA_DeleteOnClose);
    connect(editor, &EntryEditor::saveRequested, window, [this](const EntryEdit &edit) {
        asked = Asked::Edit;
        Q_EMIT window->editEntryRequested(edit);
    });
    editor->open();
}

void MainWindow::Private::deleteSelected()
{
    const int count = table->selectedCount();
    if (count > maximumDeletedAtOnce) {
        message->show(
            tr("At most %1 entries can be deleted at once; %2 are selected.")
                .arg(window->locale().toString(maximumDeletedAtOnce), window->locale().toString(count)));
        return;
    }
    const QList<Entry> entries = table->selectedEntries();
    if (entries.isEmpty())
        return;
    QList<ClientEntryId> ids;
    for (const Entry &entry : entries)
        ids.append(entry.id);
    const QString text = ids.size() == 1
                             ? tr("Delete this entry?")
                             : tr("Delete %1 entries?").arg(window->locale().toString(ids.size()));
    confirm(text, ids.size() == 1 ? summary(entries.first(), window->locale()) : QString(), tr("&Delete"),
            [this, ids] { Q_EMIT window->deleteEntriesRequested(ids); });
}

void MainWindow::Private::discardSelected()
{
    const QList<Entry> one = table->selectedEntries();
    if (one.size() != 1)
        return;
    const QString outcome = one.first().server ? tr("The entry becomes what the server has.")
                                               : tr("The server never had this entry: it disappears.");
    confirm(tr("Discard this change?"), summary(one.first(), window->locale()) + QLatin1Char('\n') + outcome,
            tr("&Discard"), [this, id = one.first().id] { Q_EMIT window->discardRequested(id); });
}

void MainWindow::Private::resolveSelected(void (MainWindow::*request)(const ClientEntryId &))
{
    const QList<Entry> one = table->selectedEntries();
    if (one.size() == 1)
        Q_EMIT(window->*request)(one.first().id);
}

void MainWindow::Private::confirm(const QString &text, const QString &details, const QString &yes,
                                  const std::function<void()> &then)
{
    dismiss(question);
    question = new QMessageBox(window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setWindowTitle(tr("Daybook"));
    question->setTextFormat(Qt::PlainText);
    question->setText(text);
    question->setInformativeText(details);
    if (then) {
        question->setIcon(QMessageBox::Question);
        auto *accept = question->addButton(yes, QMessageBox::AcceptRole);
        connect(accept, &QPushButton::clicked, window, then);
        question->setDefaultButton(question->addButton(QMessageBox::Cancel));
    } else {
        question->setIconPixmap(programIcon().pixmap(64));
    }
    question->open();
}

void MainWindow::Private::signIn()
{
    if (signInDialog)
        return;
    signInDialog = new SignInDialog(known.account, window);
    signInDialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(signInDialog, &SignInDialog::signInRequested, window, &MainWindow::signInRequested);
    connect(signInDialog, &SignInDialog::signUpRequested, window, &MainWindow::signUpRequested);
    connect(signInDialog, &QDialog::rejected, window, &MainWindow::signInCancelled);
    signInDialog->open();
}

void MainWindow::Private::signOut()
{
    if (known.queue.unfinished() == 0) {
        Q_EMIT window->signOutRequested();
        return;
    }
    dismiss(question);
    question = new SignOutDialog(known.account, known.queue, window);
    question->setAttribute(Qt::WA_DeleteOnClose);
    connect(question, &QDialog::accepted, window, &MainWindow::signOutRequested);
    question->open();
}

MainWindow::MainWindow(const Clock &clock, QWidget *parent)
    : QMainWindow(parent),
      d(std::make_unique<Private>(this, clock))
{
    d->layOut();
    d->connectActions();
    d->adaptToSelection();
    setFacts({});
}

MainWindow::~MainWindow() = default;

void MainWindow::setEntryModel(EntryTableModel *model)
{
    if (d->badges->sourceModel())
        d->badges->sourceModel()->disconnect(this);
    dismiss(d->editor);
    dismiss(d->question);
    d->message->clear();
    d->badges->setSourceModel(model);
    if (model)
        connect(model, &EntryTableModel::readFailed, this,
                [this](const Error &error) { d->message->show(readErrorText(error)); });
    d->adaptToSelection();
}

void MainWindow::setFacts(const WindowFacts &facts)
{
    d->known = facts;
    d->actions.adapt(facts);
    d->facts->setFacts(facts);
    d->badges->setHold(holdText(facts.connection));
}

void MainWindow::setCategories(const QStringList &categories)
{
    d->categories = categories;
    d->quickEntry->setCategories(categories);
}

void MainWindow::entryAdded(const ClientEntryId &)
{
    d->asked = Asked::Nothing;
    d->message->clear();
    d->quickEntry->clear();
}

void MainWindow::entryEdited(const ClientEntryId &id)
{
    d->asked = Asked::Nothing;
    d->message->clear();
    if (d->editor && d->editor->entryId() == id)
        d->editor->accept();
}

void MainWindow::requestFailed(const Error &error)
{
    const Asked asked = std::exchange(d->asked, Asked::Nothing);
    if (asked == Asked::Edit && d->editor)
        d->editor->showError(errorText(error));
    else if (asked == Asked::Add)
        d->quickEntry->showError(errorText(error));
    else
        d->message->show(errorText(error));
}

void MainWindow::signInFailed(const Error &error)
{
    if (d->signInDialog)
        d->signInDialog->showError(errorText(error));
    else
        d->message->show(errorText(error));
}

void MainWindow::signedIn()
{
    d->message->clear();
    if (d->signInDialog)
        d->signInDialog->accept();
}

} // namespace daybook
