#pragma once

#include <QProcess>
#include <QUrl>

namespace daybook {

/// The real `daybook-server` on a database of the test's, on a free port of this computer. What it says on
/// standard error goes to the test's own.
/// **Ends:** is killed with this object, as by a power cut.
class ServerProcess
{
public:
    explicit ServerProcess(const QString &databasePath, const QStringList &moreOptions = {})
        : m_database(QStringLiteral("sqlite://") + databasePath),
          m_moreOptions(moreOptions)
    {
        m_process.setProgram(QStringLiteral(DAYBOOK_SERVER_PROGRAM));
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    }
    ~ServerProcess() { kill(); }

    /// From the next start() on, such as `DAYBOOK_CRASH_AT`; an empty value takes it away again.
    void setVariable(const QString &name, const QString &value)
    {
        auto environment = QProcessEnvironment::systemEnvironment();
        if (!value.isEmpty())
            environment.insert(name, value);
        m_process.setProcessEnvironment(environment);
    }

    /// From the next start() on: what it says on standard error, for a test that searches it.
    void setErrorFile(const QString &path)
    {
        m_process.setProcessChannelMode(QProcess::SeparateChannels);
        m_process.setStandardErrorFile(path);
    }

    /// True once the server answers. After the first time on the same port again.
    bool start()
    {
        m_process.setArguments(QStringList{QStringLiteral("serve"), QStringLiteral("--database"), m_database,
                                           QStringLiteral("--listen"),
                                           QStringLiteral("127.0.0.1:%1").arg(qMax(0, m_url.port()))} +
                               m_moreOptions);
        m_process.start();
        while (!m_process.canReadLine() && m_process.waitForReadyRead(patience)) {
        }
        const QByteArray line = m_process.readLine().trimmed();
        const QByteArray readyLine = "listening on ";
        if (!line.startsWith(readyLine))
            return false;
        m_url = QUrl(QString::fromLatin1(line.mid(readyLine.size())));
        return true;
    }

    /// Such as `http://127.0.0.1:40123`; stays the same over restarts.
    QUrl url() const { return m_url; }
    qint64 processId() const { return m_process.processId(); }

    /// As a power cut would end it.
    void kill()
    {
        m_process.kill();
        m_process.waitForFinished(patience);
    }

    /// As an operator would end it; gives its exit status.
    int terminate()
    {
        m_process.terminate();
        return waitForExit();
    }

    /// The exit status of a server that ends by itself, for example at a crash point; -1 when a signal ended
    /// it or it does not end.
    int waitForExit()
    {
        const bool ended = m_process.state() == QProcess::NotRunning || m_process.waitForFinished(patience);
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }

    /// Works whether the server is running or not.
    bool addAccount(const QString &username, const QString &password)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        process.start(QStringLiteral(DAYBOOK_SERVER_PROGRAM),
                      {QStringLiteral("account"), QStringLiteral("add"), QStringLiteral("--database"),
                       m_database, QStringLiteral("--username"), username});
        process.write(password.toUtf8() + '\n');
        process.closeWriteChannel();
        return process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit &&
               process.exitCode() == 0;
    }

private:
    static constexpr int patience = 30'000; // milliseconds; only a failing test waits so long

    QProcess m_process;
    QString m_database;
    QStringList m_moreOptions;
    QUrl m_url;
};

} // namespace daybook
