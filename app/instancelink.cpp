#include "app/instancelink.h"

#include "app/datafolder.h"
#include "models/domain/logging.h"

#include <QDir>
#include <QLocalSocket>
#include <QLockFile>

namespace daybook {

namespace {

constexpr int patienceMilliseconds = 500;

}

InstanceLink::InstanceLink(QObject *parent) : QObject(parent)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &InstanceLink::acceptConnections);
}

bool InstanceLink::listen(const DataFolder &folder)
{
    // Two programs that start at the same moment: one asks, replaces and listens at a time.
    QLockFile lock(QDir::tempPath() + QLatin1Char('/') + folder.socketName() + QStringLiteral(".lock"));
    if (!lock.tryLock(patienceMilliseconds) && lock.error() == QLockFile::LockFailedError)
        return false; // any other failure says nothing about another program
    QLocalSocket probe;
    probe.connectToServer(folder.socketName());
    if (probe.waitForConnected(patienceMilliseconds))
        return false;
    QLocalServer::removeServer(folder.socketName());
    if (!m_server.listen(folder.socketName()))
        qCWarning(lcApp, "cannot listen for other programs: %ls", qUtf16Printable(m_server.errorString()));
    return true;
}

void InstanceLink::close() { m_server.close(); }

void InstanceLink::acceptConnections()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto read = [this, socket] {
            for (const char message : socket->readAll()) {
                if (message == static_cast<char>(InstanceMessage::Nudge))
                    Q_EMIT nudged();
                else if (message == static_cast<char>(InstanceMessage::Raise))
                    Q_EMIT raiseRequested();
            }
        };
        connect(socket, &QLocalSocket::readyRead, this, read);
        read();
    }
}

bool tellInstance(const DataFolder &folder, InstanceMessage message)
{
    QLocalSocket socket;
    socket.connectToServer(folder.socketName());
    if (!socket.waitForConnected(patienceMilliseconds))
        return false;
    const char text = static_cast<char>(message);
    socket.write(&text, 1);
    socket.waitForBytesWritten(patienceMilliseconds);
    socket.disconnectFromServer();
    return true;
}

} // namespace daybook
