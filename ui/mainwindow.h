#pragma once

#include "models/domain/clock.h"
#include "models/domain/entry.h"
#include "ui/windowfacts.h"

#include <QMainWindow>
#include <QStringList>

#include <memory>

namespace daybook {

class EntryTableModel;

/// The window of one account at a time: quick entry on top, the table of entries, the status bar. It shows
/// what it is given and asks for everything else by signals; whoever answers calls the slots below.
class MainWindow final : public QMainWindow
{
    Q_OBJECT

public:
    /// \p clock must outlive the window.
    explicit MainWindow(const Clock &clock, QWidget *parent = nullptr);
    ~MainWindow() override;

    /// Shows another account's entries at once; filter, selection and open editors of the former one are
    /// dropped. Null for none. The model must outlive the window or be replaced first.
    void setEntryModel(EntryTableModel *model);
    void setFacts(const WindowFacts &facts);
    void setCategories(const QStringList &categories);

public Q_SLOTS:
    /// The answer to addEntryRequested: the form is cleared and ready for the next entry.
    void entryAdded(const daybook::ClientEntryId &id);
    /// The answer to editEntryRequested: the editor closes.
    void entryEdited(const daybook::ClientEntryId &id);
    /// What was asked for could not be done; what was typed stays. Shown in the form, not in a modal box.
    void requestFailed(const daybook::Error &error);
    /// Sign-in could not be done; shown in the open sign-in dialog, typed text stays.
    void signInFailed(const daybook::Error &error);
    void signedIn();

Q_SIGNALS:
    void addEntryRequested(const daybook::EntryFields &fields);
    void editEntryRequested(const daybook::EntryEdit &edit);
    void deleteEntriesRequested(const QList<daybook::ClientEntryId> &ids);
    void retryRequested(const daybook::ClientEntryId &id);   ///< a refused entry, once more as it is
    void discardRequested(const daybook::ClientEntryId &id); ///< give up the refused or conflicting change
    void syncNowRequested();
    void workOfflineRequested(bool offline);
    void signInRequested(const QString &serverOrigin, const QString &username, const QString &password,
                         bool keepSessionInFile);
    void signUpRequested(const QString &serverOrigin, const QString &username, const QString &password,
                         const QString &displayName, bool keepSessionInFile);
    void signInCancelled();  ///< the dialog was closed; whatever was asked for in it is given up
    void signOutRequested(); ///< already confirmed by the person where unsynced work is left

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace daybook
