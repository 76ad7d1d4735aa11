#pragma once

#include "sync/client/transport.h"

#include <QNetworkReply>
#include <QObject>
#include <QTimer>

class QNetworkAccessManager;

namespace daybook {

/// A reply's body may be this big; a bigger one is cut off and counts as no reply.
constexpr qint64 maximumReplyBytes = 1024 * 1024;

/// One request: one end, one deadline from the moment it is handed over, also against a reply that drips for
/// ever. **Owner:** the manager. **Ends:** deletes itself after calling the handler, or after abandon().
class NetworkRequest final : public QObject
{
    Q_OBJECT

public:
    NetworkRequest(QNetworkAccessManager &network, const TransportRequest &request,
                   Transport::Handler handler);

    /// Nobody waits for it any more: the handler is not called.
    void abandon();

private:
    bool isOversized() const;
    void refuseOversized();
    void replyFinished();
    TransportReply head() const;
    TransportReply::End failedEnd() const;
    void finish(const TransportReply &reply);

    Transport::Handler m_handler;
    QNetworkReply *m_reply; ///< a child
    QTimer m_deadline;
    bool m_mayHaveLeft =
        false; ///< written to a socket, perhaps more than once: the manager repeats by itself
};

} // namespace daybook
