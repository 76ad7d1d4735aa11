#pragma once

#include <QByteArray>
#include <QTcpSocket>
#include <QUrl>

namespace daybook {

struct Reply
{
    int status = 0;
    QByteArray head;
    QByteArray body;

    QByteArray header(const QByteArray &name) const
    {
        for (const QByteArray &line : head.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
                return line.mid(colon + 1).trimmed();
        }
        return {};
    }
};

/// A client that sends exactly the bytes it is given.
class RawClient
{
public:
    explicit RawClient(const QUrl &url)
    {
        m_socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        m_connected = m_socket.waitForConnected(patience);
    }

    bool isConnected() const { return m_connected; }

    void send(const QByteArray &bytes)
    {
        m_socket.write(bytes);
        while (m_socket.bytesToWrite() > 0 && m_socket.waitForBytesWritten(patience)) {
        }
    }

    /// The next reply; its status is 0 when the connection ends instead.
    Reply receive(bool hasBody = true)
    {
        Reply reply;
        while (!m_input.contains("\r\n\r\n") && more()) {
        }
        const qsizetype end = m_input.indexOf("\r\n\r\n");
        if (end < 0)
            return reply;
        reply.head = m_input.left(end);
        reply.status = reply.head.mid(9, 3).toInt();
        m_input.remove(0, end + 4);
        const qsizetype length = hasBody ? reply.header("Content-Length").toInt() : 0;
        while (m_input.size() < length && more()) {
        }
        reply.body = m_input.left(length);
        m_input.remove(0, length);
        return reply;
    }

    bool isClosedByServer()
    {
        while (more()) {
        }
        return m_socket.state() == QAbstractSocket::UnconnectedState && m_input.isEmpty();
    }

    bool waitForInput(int milliseconds)
    {
        return m_socket.bytesAvailable() > 0 || m_socket.waitForReadyRead(milliseconds);
    }
    void close() { m_socket.abort(); }

private:
    static constexpr int patience = 5000; // milliseconds; only a failing test waits so long

    bool more()
    {
        const bool came = m_socket.bytesAvailable() > 0 || m_socket.waitForReadyRead(patience);
        m_input += m_socket.readAll();
        return came;
    }

    QTcpSocket m_socket;
    QByteArray m_input;
    bool m_connected = false;
};

inline QByteArray get(const QByteArray &target, const QByteArray &headers = {})
{
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

inline QByteArray post(const QByteArray &headers, const QByteArray &rest = {})
{
    return "POST /p HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + rest;
}

inline QByteArray code(const Reply &reply)
{
    const qsizetype begin = reply.body.indexOf("\"code\":\"") + 8;
    return reply.body.mid(begin, reply.body.indexOf('"', begin) - begin);
}

} // namespace daybook
