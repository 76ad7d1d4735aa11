#pragma once

#include "ui/windowfacts.h"

class QAction;
class QMainWindow;

namespace daybook {

/// Everything that can be done in the main window, with its menus and its tool bar. Owned by the window.
struct WindowActions
{
    explicit WindowActions(QMainWindow *window);
    /// Enables and shows what makes sense with this account.
    void adapt(const WindowFacts &facts);

    QAction *newEntry;
    QAction *quit;
    QAction *edit;
    QAction *remove;
    QAction *retry;
    QAction *discard;
    QAction *syncNow;
    QAction *workOffline;
    QAction *signIn;
    QAction *signOut;
    QAction *about;

private:
    void addMenus(QMainWindow *window) const;
    void addToolBar(QMainWindow *window) const;
};

} // namespace daybook
