#pragma once

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

#include <chrono>
#include <memory>

namespace daybook {

/// How a program that was run to its end ended.
struct ProgramEnd
{
    int exitCode = -1; ///< -1 where it was ended by a signal or did not end in time
    QByteArray output;
    QByteArray errors;

    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
    /// For messages of failed comparisons.
    QByteArray description() const
    {
        return "exit " + QByteArray::number(exitCode) + "\n" + output + "\n" + errors;
    }
};

/// The programs of the build that is tested, run as children on one data folder, with a home of their own.
class Installation
{
public:
    /// \p folder is made where it is missing and holds all that the programs write.
    explicit Installation(QString folder) : m_folder(std::move(folder)) {}

    QString dataFolder() const { return m_folder + QStringLiteral("/data"); }
    /// For all programs started from now on.
    void setEnvironment(const QString &name, const QString &value) { m_environment.insert(name, value); }
    void unsetEnvironment(const QString &name) { m_environment.remove(name); }
    /// Lets the programs' wall clock run ahead of (or behind) the computer's; durations stay what they are.
    void setClockOffset(std::chrono::seconds offset);

    ProgramEnd cli(const QStringList &arguments, const QByteArray &input = {}) const;
    /// Started, not waited for: the caller owns and ends it.
    std::unique_ptr<QProcess> startCli(const QStringList &arguments) const;
    std::unique_ptr<QProcess> startApp(const QStringList &arguments = {}) const;

    /// The session as the file holds it that is used where there is no keychain; empty where there is none.
    QJsonObject keptSession() const;

private:
    std::unique_ptr<QProcess> prepare() const;

    QString m_folder;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
};

/// The folder the programs under test were built into.
inline QString programFolder() { return QStringLiteral(DAYBOOK_PROGRAM_FOLDER); }

} // namespace daybook
