#include "tests/support/program.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>

namespace daybook {

namespace {

constexpr int patienceMilliseconds = 60'000;

}

void Installation::setClockOffset(std::chrono::seconds offset)
{
    m_environment.insert(QStringLiteral("LD_PRELOAD"), QStringLiteral(DAYBOOK_FAKETIME));
    m_environment.insert(QStringLiteral("FAKETIME"),
                         QStringLiteral("%1%2s")
                             .arg(offset.count() < 0 ? QString() : QStringLiteral("+"))
                             .arg(offset.count()));
    m_environment.insert(QStringLiteral("FAKETIME_DONT_FAKE_MONOTONIC"), QStringLiteral("1"));
}

std::unique_ptr<QProcess> Installation::prepare() const
{
    QDir().mkpath(m_folder + QStringLiteral("/home"));
    QProcessEnvironment environment = m_environment;
    environment.insert(QStringLiteral("HOME"), m_folder + QStringLiteral("/home"));
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), m_folder + QStringLiteral("/home/config"));
    environment.insert(QStringLiteral("TMPDIR"), m_folder + QStringLiteral("/home"));
    environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
    environment.remove(QStringLiteral("DBUS_SESSION_BUS_ADDRESS")); // no keychain: sessions go to the file
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(environment);
    return process;
}

QJsonObject Installation::keptSession() const
{
    QDirIterator files(m_folder + QStringLiteral("/home/config/daybook/sessions"), {QStringLiteral("*.json")},
                       QDir::Files);
    QFile file(files.hasNext() ? files.next() : QString());
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

std::unique_ptr<QProcess> Installation::startCli(const QStringList &arguments) const
{
    auto process = prepare();
    process->start(programFolder() + QStringLiteral("/daybook-cli"),
                   QStringList(arguments) << QStringLiteral("--data") << dataFolder());
    return process;
}

std::unique_ptr<QProcess> Installation::startApp(const QStringList &arguments) const
{
    auto process = prepare();
    process->start(programFolder() + QStringLiteral("/daybook"),
                   QStringList(arguments) << QStringLiteral("--data") << dataFolder());
    return process;
}

ProgramEnd Installation::cli(const QStringList &arguments, const QByteArray &input) const
{
    const auto process = startCli(arguments);
    process->write(input);
    process->closeWriteChannel();
    ProgramEnd end;
    if (process->waitForFinished(patienceMilliseconds) && process->exitStatus() == QProcess::NormalExit)
        end.exitCode = process->exitCode();
    else
        process->kill();
    end.output = process->readAllStandardOutput();
    end.errors = process->readAllStandardError();
    return end;
}

} // namespace daybook
