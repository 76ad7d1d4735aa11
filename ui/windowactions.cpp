#include "ui/windowactions.h"

#include "ui/glyph.h"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>
#include <QMenuBar>
#include <QToolBar>

namespace daybook {

namespace {

/// The translation context of this file.
struct Menus
{
    Q_DECLARE_TR_FUNCTIONS(Menus)
};

QAction *action(QMainWindow *window, const char *icon, const QString &text, const QString &hint,
                const QKeySequence &shortcut = {})
{
    auto *made = new QAction(text, window);
    if (*icon)
        made->setIcon(glyph(QLatin1StringView(icon)));
    made->setShortcut(shortcut);
    const QString keys = shortcut.toString(QKeySequence::NativeText);
    made->setToolTip(keys.isEmpty() ? hint : QStringLiteral("%1 (%2)").arg(hint, keys));
    return made;
}

} // namespace

WindowActions::WindowActions(QMainWindow *window)
    : newEntry(action(window, "add", Menus::tr("&New entry"), Menus::tr("Go to the line for a new entry"),
                      QKeySequence::New)),
      quit(action(window, "", Menus::tr("&Quit"), Menus::tr("Quit Daybook; nothing is lost"),
                  QKeySequence::Quit)),
      edit(action(window, "edit", Menus::tr("&Edit…"), Menus::tr("Edit the selected entry"), Qt::Key_F2)),
      remove(action(window, "delete", Menus::tr("&Delete"), Menus::tr("Delete the selected entries"),
                    QKeySequence::Delete)),
      retry(action(window, "sync-now", Menus::tr("&Retry now"),
                   Menus::tr("Send the refused change once more"))),
      discard(action(window, "discard", Menus::tr("Disc&ard this change…"),
                     Menus::tr("Give up the change the server did not take"))),
      syncNow(action(window, "sync-now", Menus::tr("&Sync now"), Menus::tr("End every wait and try now"),
                     Qt::Key_F5)),
      workOffline(action(window, "work-offline", Menus::tr("Work &offline"),
                         Menus::tr("Send nothing until this is switched off"),
                         Qt::CTRL | Qt::SHIFT | Qt::Key_O)),
      signIn(action(window, "sign-in", Menus::tr("Sign &in…"), Menus::tr("Sign in to a sync server"))),
      signOut(action(window, "sign-out", Menus::tr("Sign &out…"), Menus::tr("Sign out of the sync server"))),
      about(action(window, "", Menus::tr("&About Daybook"), Menus::tr("What this program is")))
{
    workOffline->setCheckable(true);
    workOffline->setObjectName(QStringLiteral("workOffline"));
    quit->setMenuRole(QAction::QuitRole);
    about->setMenuRole(QAction::AboutRole);

    addMenus(window);
    addToolBar(window);
}

void WindowActions::addMenus(QMainWindow *window) const
{
    window->menuBar()->addMenu(Menus::tr("&File"))->addActions({newEntry, quit});
    window->menuBar()->addMenu(Menus::tr("&Entry"))->addActions({edit, remove, retry, discard});
    window->menuBar()->addMenu(Menus::tr("S&ync"))->addActions({syncNow, workOffline});
    window->menuBar()->addMenu(Menus::tr("&Account"))->addActions({signIn, signOut});
    window->menuBar()->addMenu(Menus::tr("&Help"))->addAction(about);
}

void WindowActions::addToolBar(QMainWindow *window) const
{
    QToolBar *bar = window->addToolBar(Menus::tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({syncNow, workOffline});
    bar->addSeparator();
    bar->addActions({edit, remove});
    auto *space = new QWidget;
    space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(space);
    bar->addActions({signIn, signOut});
}

void WindowActions::adapt(const WindowFacts &facts)
{
    const bool hasServer = !facts.account.isLocalOnly();
    const bool signInAgain = facts.connection == WindowFacts::Connection::SignInAgain;
    syncNow->setEnabled(hasServer && facts.connection != WindowFacts::Connection::WorkingOffline);
    workOffline->setEnabled(hasServer);
    workOffline->setChecked(facts.connection == WindowFacts::Connection::WorkingOffline);
    signIn->setVisible(!hasServer || !facts.account.signedIn || signInAgain);
    signOut->setVisible(hasServer);
}

} // namespace daybook
