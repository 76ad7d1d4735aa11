#pragma once

#include "app/credentialstore.h"
#include "app/datafolder.h"
#include "models/items/entrytablemodel.h"
#include "models/store/accountstore.h"
#include "sync/client/syncservice.h"
#include "ui/windowfacts.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace daybook {

/// All that lives while one account is current: its store, its model, its sync service (none for the
/// local-only account). Its end is the sign-out: the service stops without waiting for the network, then
/// model and store go.
/// **Thread:** the window's.
class AccountSession final : public QObject
{
    Q_OBJECT

public:
    /// Nothing is sent before startService(). \p clock and \p random must outlive the session.
    static Result<std::unique_ptr<AccountSession>> open(const DataFolder &folder, const Account &account,
                                                        const CredentialPlace &credentials, Clock &clock,
                                                        Random &random);
    ~AccountSession() override;

    /// Once, when the session before this one is closed; nothing for the local-only account.
    void startService(const DataFolder &folder, bool workingOffline);

    const Account &account() const { return m_store->account(); }
    AccountStore &store() { return *m_store; }
    EntryTableModel &model() { return *m_model; }
    SyncService *service() { return m_service.get(); } ///< null for the local-only account
    /// The credentials that the service uses.
    const CredentialPlace &credentials() const { return m_credentials; }
    /// What the status bar states, read anew.
    WindowFacts facts() const;

    /// Another program changed the same file: read what is shown again, and look for work.
    void nudge();

Q_SIGNALS:
    void entriesChanged(const QList<daybook::ClientEntryId> &ids); ///< by the person or by the service
    void factsChanged();
    void storeFailed(const daybook::Error &error);

private:
    AccountSession(std::unique_ptr<AccountStore> store, CredentialPlace credentials);

    CredentialPlace m_credentials;
    std::unique_ptr<AccountStore> m_store;
    std::unique_ptr<EntryTableModel> m_model;
    std::unique_ptr<SyncService> m_service;
    QTimer m_factsTimer; ///< a drain changes facts far more often than people can read
};

} // namespace daybook
