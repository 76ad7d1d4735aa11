#pragma once

#include "models/domain/entry.h"
#include "sync/client/networktransport.h"

#include <QHash>
#include <QObject>
#include <QTextStream>
#include <QTimer>

#include <memory>

namespace daybook {

class Application;

/// Shows the main job on the real window, without anybody at the keyboard: network off, three entries typed
/// and saved, network on while the reply to one of them is lost, every state change printed as it is read
/// from the store; at the end the server's contents read back over HTTP and a picture of the window.
/// **Thread:** the window's. **Ends:** finished(), once.
class GuidedTour final : public QObject
{
    Q_OBJECT

public:
    /// \p application has started and must outlive the tour; the picture goes to \p screenshotPath.
    GuidedTour(Application &application, QString screenshotPath, QObject *parent = nullptr);
    ~GuidedTour() override;

    void start();

Q_SIGNALS:
    void finished(bool asExpected);

private:
    void say(const QString &line);
    void goOffline();
    void saveNext();
    void goOnline();
    void printStates(const QList<ClientEntryId> &ids);
    void checkDrained();
    void printAttempts();
    void readBack();
    void readNext(const QString &accessToken);
    void printServerEntry(const ClientEntryId &id, const TransportReply &reply);
    void end(bool asExpected);

    Application &m_application;
    QString m_screenshotPath;
    QTextStream m_out;
    QTimer m_patience;
    QList<ClientEntryId> m_ids;
    QHash<ClientEntryId, QString> m_lastState;
    NetworkTransport m_network;
    std::unique_ptr<TransportCall> m_call;
    qsizetype m_readBack = 0;
    int m_onServer = 0;
    int m_replayed = 0;
    bool m_online = false;
    bool m_ended = false;
};

} // namespace daybook
