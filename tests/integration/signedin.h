#pragma once

#include "tests/support/program.h"
#include "tests/support/serverprocess.h"

#include <QHash>
#include <QJsonArray>
#include <QTemporaryDir>

namespace daybook {

/// A real server with the account `ana`, and an installation that is signed in to it: where most
/// conversations start.
class SignedIn
{
public:
    SignedIn();

    bool ready() const { return m_ready; }
    QString path(const QString &name) const { return m_folder.filePath(name); }

    ProgramEnd add(const QString &value, const QStringList &options = {}) const;
    /// The id of a fresh entry.
    QString addedId(const QString &value) const;
    ProgramEnd sync(const QStringList &options = {}) const;
    QString stateOf(const QString &id) const;
    /// The operations of an entry as `show --json` prints them.
    QJsonArray operationsOf(const QString &id) const;
    ProgramEnd signIn(const QString &username, const QByteArray &password) const;

    /// Rows of the server's database, read with a connection of its own: `value`, `version` and `deleted` of
    /// each entry of the account, by clientEntryId.
    struct ServerEntry
    {
        qint64 thousandths = 0;
        qint64 version = 0;
        bool deleted = false;

        bool operator==(const ServerEntry &) const = default;
    };
    QHash<QString, ServerEntry> serverEntries(const QString &username = QStringLiteral("ana")) const;

private:
    QTemporaryDir m_folder;
    bool m_ready = false;

public:
    Installation here{m_folder.filePath(QStringLiteral("client"))};
    ServerProcess server{m_folder.filePath(QStringLiteral("server.sqlite"))};
};

} // namespace daybook
