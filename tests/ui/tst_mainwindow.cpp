#include "ui/mainwindow.h"

#include "models/items/entrytablemodel.h"
#include "tests/support/fakeclock.h"
#include "tests/support/syntheticentries.h"
#include "ui/entryeditor.h"
#include "ui/entrytable.h"
#include "ui/messageline.h"
#include "ui/quickentry.h"
#include "ui/signindialog.h"

#include <QAccessible>
#include <QAction>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

class TestMainWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        qRegisterMetaType<EntryFields>();
        qRegisterMetaType<EntryEdit>();
        qRegisterMetaType<ClientEntryId>();
    }

    void init() { open(1000); }

    void cleanup()
    {
        m_window.reset();
        m_model.reset();
        m_source.reset();
    }

    void addsByKeyboardAlone()
    {
        QSignalSpy added(m_window.get(), &MainWindow::addEntryRequested);
        QVERIFY(value()->hasFocus());
        QTest::keyClicks(value(), QStringLiteral("72.5"));
        QTest::keyClick(value(), Qt::Key_Return);
        QCOMPARE(added.size(), 1);
        QCOMPARE(added.first().first().value<EntryFields>().value.thousandths(), 72'500);

        m_window->requestFailed({ErrorKind::DiskFull, {}});
        QVERIFY(quickEntry()->findChild<MessageLine *>()->isVisible());
        QCOMPARE(value()->text(), QStringLiteral("72.5"));
        QTest::keyClick(value(), Qt::Key_Return);
        m_window->entryAdded(ClientEntryId(QUuid::createUuid()));
        QVERIFY(!quickEntry()->findChild<MessageLine *>()->isVisible());
        QCOMPARE(value()->text(), QString());
    }

    void editsByKeyAndDoubleClick_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("F2") << int(Qt::Key_F2);
        QTest::newRow("Enter") << int(Qt::Key_Return);
        QTest::newRow("double click") << 0;
    }

    void editsByKeyAndDoubleClick()
    {
        QFETCH(int, key);
        QSignalSpy edited(m_window.get(), &MainWindow::editEntryRequested);
        select(3);
        if (key != 0) {
            QTest::keyClick(table(), Qt::Key(key));
        } else {
            const QPoint cell = table()->visualRect(table()->currentIndex()).center();
            QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, cell);
            QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, cell);
        }
        QPointer<EntryEditor> editor = m_window->findChild<EntryEditor *>();
        QVERIFY(editor);
        QVERIFY(editor->entryId() == SyntheticEntries::idOf(3));
        editor->findChild<QLineEdit *>()->setText(QStringLiteral("9"));
        editor->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save)->click();
        QCOMPARE(edited.size(), 1);
        QCOMPARE(edited.first().first().value<EntryEdit>().fields.value.thousandths(), 9000);

        m_window->requestFailed({ErrorKind::NotFound, {}});
        QVERIFY(editor->findChild<MessageLine *>()->isVisible());
        QCOMPARE(editor->findChild<QLineEdit *>()->text(), QStringLiteral("9"));
        m_window->entryEdited(SyntheticEntries::idOf(3));
        QTRY_VERIFY(!editor);
    }

    void deletesOnlyWhenConfirmed()
    {
        QSignalSpy deleted(m_window.get(), &MainWindow::deleteEntriesRequested);
        select(1);
        QTest::keyClick(table(), Qt::Key_Down, Qt::ShiftModifier);
        QTest::keyClick(table(), Qt::Key_Delete);
        answer(QDialogButtonBox::RejectRole);
        QCOMPARE(deleted.size(), 0);
        QTest::keyClick(table(), Qt::Key_Delete);
        QVERIFY(question() && question()->text().contains(QStringLiteral("2 entries")));
        answer(QDialogButtonBox::AcceptRole);
        QCOMPARE(deleted.size(), 1);
        const auto ids = deleted.first().first().value<QList<ClientEntryId>>();
        QVERIFY(ids == (QList{SyntheticEntries::idOf(1), SyntheticEntries::idOf(2)}));
    }

    void deleteInAFieldDeletesACharacter()
    {
        select(1);
        value()->setFocus();
        value()->setText(QStringLiteral("12"));
        value()->setCursorPosition(0);
        QTest::keyClick(value(), Qt::Key_Delete);
        QCOMPARE(value()->text(), QStringLiteral("2"));
        QVERIFY(!question());
    }

    void tooManyAreNotDeletedAtOnce()
    {
        open(5000);
        QTRY_COMPARE(m_model->rowCount(), 5000);
        table()->setFocus();
        table()->selectAll();
        QTest::keyClick(table(), Qt::Key_Delete);
        QVERIFY(!question());
        QVERIFY(message()->isVisible());
        QVERIFY(message()->text().contains(QStringLiteral("5,000")));
    }

    void refusedEntriesOfferRetryAndDiscard()
    {
        QSignalSpy retried(m_window.get(), &MainWindow::retryRequested);
        QSignalSpy discarded(m_window.get(), &MainWindow::discardRequested);
        select(2);
        QVERIFY(!action("&Retry now")->isVisible());
        Entry refused = SyntheticEntries::entry(2);
        refused.sync = {SyncState::NeedsAttention, QStringLiteral("VALIDATION_FAILED"), {}};
        change(refused);
        QVERIFY(action("&Retry now")->isVisible());
        action("&Retry now")->trigger();
        QVERIFY(retried.value(0).value(0).value<ClientEntryId>() == refused.id);
        action("Disc&ard this change…")->trigger();
        answer(QDialogButtonBox::AcceptRole);
        QVERIFY(discarded.value(0).value(0).value<ClientEntryId>() == refused.id);
    }

    void whatANewerVersionMadeOffersNeither()
    {
        select(2);
        Entry unreadable = SyntheticEntries::entry(2);
        unreadable.sync = {SyncState::NeedsAttention, {}, {}};
        change(unreadable);
        QVERIFY(!action("&Retry now")->isVisible());
        QVERIFY(!action("Disc&ard this change…")->isVisible());
    }

    void badgesPromiseNoTryWhileNothingIsSent()
    {
        Entry waiting = SyntheticEntries::entry(0);
        waiting.sync = {SyncState::RetryWaiting, QStringLiteral("RATE_LIMITED"), m_clock.now() + 40s};
        change(waiting);
        const QModelIndex badge = table()->model()->index(0, EntryTableModel::Badge);
        QVERIFY(badge.data(Qt::ToolTipRole).toString().contains(QStringLiteral("next try in 40 s")));
        QSignalSpy updated(table()->model(), &QAbstractItemModel::dataChanged);
        WindowFacts facts = signedIn();
        facts.connection = WindowFacts::Connection::WorkingOffline;
        m_window->setFacts(facts);
        QCOMPARE(updated.size(), 1);
        QVERIFY(badge.data(Qt::ToolTipRole).toString().contains(QStringLiteral("while you work offline")));
        m_window->setFacts(signedIn());
        QVERIFY(badge.data(Qt::ToolTipRole).toString().contains(QStringLiteral("next try in 40 s")));
    }

    void backgroundChangesTakeNothingAway()
    {
        QTRY_COMPARE(m_model->rowCount(), 1000);
        select(500);
        table()->scrollTo(table()->currentIndex(), QAbstractItemView::PositionAtTop);
        const int seenAt = table()->visualRect(table()->currentIndex()).top();
        value()->setFocus();
        QTest::keyClicks(value(), QStringLiteral("7"));
        for (int i = 0; i < 5; ++i) {
            Entry entry = SyntheticEntries::entry(0);
            entry.id = ClientEntryId(QUuid::createUuid());
            entry.fields.recordedAt.instant += std::chrono::minutes(i + 1);
            change(entry);
        }
        m_source->remove(SyntheticEntries::idOf(490));
        m_model->entriesChanged({SyntheticEntries::idOf(490)});
        Entry synced = SyntheticEntries::entry(500);
        synced.sync.state = SyncState::Synced;
        change(synced);
        QTest::keyClicks(value(), QStringLiteral("2"));

        QVERIFY(value()->hasFocus());
        QCOMPARE(value()->text(), QStringLiteral("72"));
        QCOMPARE(table()->currentIndex().row(), 504);
        QVERIFY(table()->selectionModel()->isRowSelected(504));
        QCOMPARE(table()->visualRect(table()->currentIndex()).top(), seenAt);
    }

    void newEntriesComeIntoViewAtTheTop()
    {
        QTRY_COMPARE(m_model->rowCount(), 1000);
        Entry entry = SyntheticEntries::entry(0);
        entry.id = ClientEntryId(QUuid::createUuid());
        entry.fields.recordedAt.instant += 1min;
        change(entry);
        QCOMPARE(table()->rowAt(0), 0);
    }

    void anEmptyListSaysWhatToDo()
    {
        open(0);
        auto *hint = table()->viewport()->findChild<QLabel *>();
        QVERIFY(hint->isVisible());
        QVERIFY(hint->text().contains(QStringLiteral("press Enter")));
        change(SyntheticEntries::entry(0));
        QVERIFY(!hint->isVisible());
    }

    void anotherAccountDropsWhatBelongsToTheFormer()
    {
        select(4);
        QTest::keyClick(table(), Qt::Key_F2);
        QVERIFY(m_window->findChild<EntryEditor *>());
        SyntheticEntries other(3);
        EntryTableModel model(other);
        m_window->setEntryModel(&model);
        QTRY_VERIFY(!m_window->findChild<EntryEditor *>());
        QCOMPARE(table()->model()->rowCount(), 3);
        QCOMPARE(table()->selectedCount(), 0);
        m_window->setEntryModel(nullptr);
        QCOMPARE(table()->model()->rowCount(), 0);
    }

    void syncActionsFollowTheFacts()
    {
        QSignalSpy syncs(m_window.get(), &MainWindow::syncNowRequested);
        QSignalSpy offline(m_window.get(), &MainWindow::workOfflineRequested);
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QCOMPARE(syncs.size(), 0); // no account, nothing to sync with
        m_window->setFacts(signedIn());
        QTest::keyClick(m_window.get(), Qt::Key_F5);
        QCOMPARE(syncs.size(), 1);
        QTest::keyClick(m_window.get(), Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(offline.value(0).value(0).toBool(), true);
        WindowFacts facts = signedIn();
        facts.connection = WindowFacts::Connection::WorkingOffline;
        m_window->setFacts(facts);
        QCOMPARE(offline.size(), 1); // being told is not asking
        QVERIFY(action("Work &offline")->isChecked());
        table()->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_N, Qt::ControlModifier);
        QVERIFY(value()->hasFocus());
    }

    void signInStaysOpenUntilItWorked()
    {
        QSignalSpy asked(m_window.get(), &MainWindow::signInRequested);
        action("Sign &in…")->trigger();
        QPointer<SignInDialog> dialog = m_window->findChild<SignInDialog *>();
        QVERIFY(dialog);
        Q_EMIT dialog->signInRequested(QStringLiteral("http://localhost"), QStringLiteral("ann"),
                                       QStringLiteral("secret"), false);
        QCOMPARE(asked.size(), 1);
        m_window->signInFailed({ErrorKind::Credentials, {}, QStringLiteral("INVALID_CREDENTIALS")});
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<MessageLine *>()->text().contains(QStringLiteral("password")));
        m_window->signedIn();
        QTRY_VERIFY(!dialog);
    }

    void closingTheSignInGivesItUp()
    {
        QSignalSpy cancelled(m_window.get(), &MainWindow::signInCancelled);
        action("Sign &in…")->trigger();
        m_window->findChild<SignInDialog *>()->reject();
        QCOMPARE(cancelled.size(), 1);
        QTRY_VERIFY(!m_window->findChild<SignInDialog *>());
        action("Sign &in…")->trigger();
        m_window->signedIn();
        QCOMPARE(cancelled.size(), 1);
    }

    void signingOutWithUnsyncedWorkAsks()
    {
        QSignalSpy signedOut(m_window.get(), &MainWindow::signOutRequested);
        WindowFacts facts = signedIn();
        facts.queue.pending = 2;
        facts.queue.permanentFailed = 1;
        m_window->setFacts(facts);
        action("Sign &out…")->trigger();
        QVERIFY(question() && question()->text().startsWith(QStringLiteral("3 changes")));
        const QString details = question()->informativeText();
        QVERIFY(details.contains(QStringLiteral("after the next sign-in: 2")));
        QVERIFY(details.contains(QStringLiteral("decide about them: 1")));
        answer(QDialogButtonBox::RejectRole);
        QCOMPARE(signedOut.size(), 0);
        action("Sign &out…")->trigger();
        answer(QDialogButtonBox::AcceptRole);
        QCOMPARE(signedOut.size(), 1);

        m_window->setFacts(signedIn());
        action("Sign &out…")->trigger();
        QCOMPARE(signedOut.size(), 2);
    }

    /// The application answers a confirmed sign-out at once, while the dialog that confirmed it is still in
    /// its signal.
    void signingOutTakesTheAccountAwayAtOnce()
    {
        connect(m_window.get(), &MainWindow::signOutRequested, m_window.get(),
                [this] { m_window->setEntryModel(nullptr); });
        WindowFacts facts = signedIn();
        facts.queue.pending = 1;
        m_window->setFacts(facts);
        action("Sign &out…")->trigger();
        const QPointer<QMessageBox> asked = question();
        answer(QDialogButtonBox::AcceptRole);
        QTRY_VERIFY(!asked);
    }

    void otherFailuresAreShownInTheWindow()
    {
        m_window->requestFailed({ErrorKind::StoreBusy, {}});
        QVERIFY(message()->isVisible());
        QVERIFY(!QApplication::activeModalWidget());
    }

    void everyControlHasAnAccessibleName()
    {
        m_window->setFacts(signedIn());
        QStringList nameless;
        for (QWidget *widget : m_window->findChildren<QWidget *>()) {
            const bool isControl = widget->isVisible() && widget->focusPolicy() != Qt::NoFocus &&
                                   !widget->focusProxy() &&
                                   widget->objectName() != QLatin1String("qt_spinbox_lineedit");
            const auto *face = QAccessible::queryAccessibleInterface(widget);
            if (isControl && (!face || face->text(QAccessible::Name).isEmpty()))
                nameless << QString::fromLatin1(widget->metaObject()->className());
        }
        QCOMPARE(nameless, QStringList());
    }

    void theBadgeIsReadOutAsASentence()
    {
        auto *face = QAccessible::queryAccessibleInterface(table());
        QVERIFY(face && face->tableInterface());
        QAccessibleInterface *cell = face->tableInterface()->cellAt(0, EntryTableModel::Badge);
        QVERIFY(cell->text(QAccessible::Name).startsWith(QStringLiteral("Waiting to be sent")));
    }

    void fitsASmallScreen()
    {
        WindowFacts facts = signedIn();
        facts.busy = facts.faultsActive = true;
        facts.queue.pending = facts.queue.conflict = 99;
        facts.queue.oldestWaitingAt = m_clock.now() - 5min;
        facts.nextAttemptAt = m_clock.now() + 30s;
        facts.lastSyncedAt = m_clock.now();
        m_window->setFacts(facts);
        const QSize smallest = m_window->minimumSizeHint();
        QVERIFY2(smallest.width() <= 640 && smallest.height() <= 480,
                 qPrintable(QStringLiteral("%1x%2").arg(smallest.width()).arg(smallest.height())));
    }

private:
    void open(int entries)
    {
        cleanup();
        m_source = std::make_unique<SyntheticEntries>(entries);
        m_model = std::make_unique<EntryTableModel>(*m_source);
        m_window = std::make_unique<MainWindow>(m_clock);
        m_window->setEntryModel(m_model.get());
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    static WindowFacts signedIn()
    {
        WindowFacts facts;
        facts.account.serverOrigin = QStringLiteral("http://127.0.0.1:8640");
        facts.account.username = QStringLiteral("demo");
        facts.account.signedIn = true;
        facts.connection = WindowFacts::Connection::Online;
        return facts;
    }

    void change(const Entry &entry)
    {
        m_source->put(entry);
        m_model->entriesChanged({entry.id});
    }

    void select(int row)
    {
        table()->setFocus();
        table()->setCurrentIndex(table()->model()->index(row, 0));
    }

    void answer(int role)
    {
        QVERIFY(question());
        auto *box = question()->findChild<QDialogButtonBox *>();
        for (QAbstractButton *button : box->buttons()) {
            if (box->buttonRole(button) == role) {
                button->click();
                break;
            }
        }
        QTRY_VERIFY(!question());
        m_window->activateWindow(); // nobody does it where there is no window manager
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }

    EntryTable *table() const { return m_window->findChild<EntryTable *>(); }
    QuickEntry *quickEntry() const { return m_window->findChild<QuickEntry *>(); }
    QLineEdit *value() const { return m_window->findChild<QLineEdit *>(QStringLiteral("quickEntryValue")); }
    QMessageBox *question() const { return m_window->findChild<QMessageBox *>(); }
    MessageLine *message() const
    {
        return m_window->centralWidget()->findChild<MessageLine *>({}, Qt::FindDirectChildrenOnly);
    }
    QAction *action(const char *text) const
    {
        for (QAction *candidate : m_window->findChildren<QAction *>()) {
            if (candidate->text() == QString::fromUtf8(text))
                return candidate;
        }
        qFatal("no action %s", text);
    }

    FakeClock m_clock;
    std::unique_ptr<SyntheticEntries> m_source;
    std::unique_ptr<EntryTableModel> m_model;
    std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestMainWindow)
#include "tst_mainwindow.moc"
