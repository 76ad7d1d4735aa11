#pragma once

#include <QTcpServer>
#include <QTcpSocket>
#include <QTimer>
#include <QUrl>

namespace daybook {

/// An HTTP server that does what a script says to each request in turn (the last step to all that follow),
/// badly on purpose. Listens on a free loopback port.
class ScriptedServer final : public QObject
{
public:
    struct Step
    {
        QByteArray bytes = {};        ///< sent once a whole request is here
        bool closes = false;          ///< then the connection is closed
        bool stopsListening = false;  ///< and nobody can connect any more
        QByteArray drip = {};         ///< sent every 10 ms until the connection ends
        bool answersAnything = false; ///< does not wait for a whole request
    };

    explicit ScriptedServer(QList<Step> script) : m_script(std::move(script))
    {
        connect(&m_server, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket *socket = m_server.nextPendingConnection())
                serve(socket);
        });
        m_server.listen(QHostAddress::LocalHost);
        m_port = m_server.serverPort();
    }

    QUrl url(const QString &path = QStringLiteral("/v1/entries")) const
    {
        return QUrl(QStringLiteral("http://127.0.0.1:%1%2").arg(m_port).arg(path));
    }
    void stopListening() { m_server.close(); }

    /// Every whole request that arrived, head and body.
    const QList<QByteArray> &requests() const { return m_requests; }
    int openConnections() const { return m_open; }

    /// A well-formed reply.
    static QByteArray reply(int status, const QByteArray &body, const QByteArray &moreHeaders = {})
    {
        return "HTTP/1.1 " + QByteArray::number(status) +
               " Status\r\nContent-Length: " + QByteArray::number(body.size()) + "\r\n" + moreHeaders +
               "\r\n" + body;
    }

private:
    void serve(QTcpSocket *socket)
    {
        ++m_open;
        connect(socket, &QTcpSocket::disconnected, this, [this, socket] {
            --m_open;
            socket->deleteLater();
        });
        connect(socket, &QTcpSocket::readyRead, this, [this, socket, received = QByteArray()]() mutable {
            received += socket->readAll();
            const qsizetype whole =
                m_script.first().answersAnything ? received.size() : wholeRequest(received);
            if (whole == 0)
                return;
            m_requests.append(received.left(whole));
            received.remove(0, whole);
            answer(socket, m_script.size() > 1 ? m_script.takeFirst() : m_script.first());
        });
    }

    static qsizetype wholeRequest(const QByteArray &received)
    {
        const qsizetype headEnd = received.indexOf("\r\n\r\n");
        if (headEnd < 0)
            return 0;
        qsizetype length = headEnd + 4;
        const QByteArray head = received.left(headEnd).toLower() + "\r\n";
        if (const qsizetype at = head.indexOf("\r\ncontent-length:"); at >= 0) {
            const qsizetype from = at + qsizetype(sizeof("\r\ncontent-length:") - 1);
            length += head.mid(from, head.indexOf('\r', from) - from).trimmed().toLongLong();
        }
        return received.size() >= length ? length : 0;
    }

    void answer(QTcpSocket *socket, const Step &step)
    {
        if (step.stopsListening)
            stopListening();
        socket->write(step.bytes);
        if (step.closes)
            socket->disconnectFromHost();
        if (step.drip.isEmpty())
            return;
        auto *timer = new QTimer(socket);
        connect(timer, &QTimer::timeout, socket, [socket, drip = step.drip] { socket->write(drip); });
        timer->start(10);
    }

    QTcpServer m_server;
    quint16 m_port = 0;
    QList<Step> m_script;
    QList<QByteArray> m_requests;
    int m_open = 0;
};

} // namespace daybook
