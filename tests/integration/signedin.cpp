#include "tests/integration/signedin.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QUuid>

namespace daybook {

namespace {

constexpr const char *password = "a long password";

}

SignedIn::SignedIn()
{
    const QString ana = QStringLiteral("ana");
    m_ready = server.addAccount(ana, QString::fromLatin1(password)) && server.start() &&
              signIn(ana, password).exitCode == 0;
}

ProgramEnd SignedIn::signIn(const QString &username, const QByteArray &secret) const
{
    return here.cli({QStringLiteral("sign-in"), QStringLiteral("--server"), server.url().toString(),
                     QStringLiteral("--username"), username, QStringLiteral("--keep-session-in-file")},
                    secret + '\n');
}

ProgramEnd SignedIn::add(const QString &value, const QStringList &options) const
{
    return here.cli(QStringList{QStringLiteral("add"), value, QStringLiteral("--json")} + options);
}

QString SignedIn::addedId(const QString &value) const
{
    return add(value).json().value(QLatin1String("clientEntryId")).toString();
}

ProgramEnd SignedIn::sync(const QStringList &options) const
{
    return here.cli(QStringList{QStringLiteral("sync")} + options);
}

QString SignedIn::stateOf(const QString &id) const
{
    return here.cli({QStringLiteral("show"), id, QStringLiteral("--json")})
        .json()
        .value(QLatin1String("syncState"))
        .toString();
}

QJsonArray SignedIn::operationsOf(const QString &id) const
{
    return here.cli({QStringLiteral("show"), id, QStringLiteral("--json")})
        .json()
        .value(QLatin1String("operations"))
        .toArray();
}

QHash<QString, SignedIn::ServerEntry> SignedIn::serverEntries(const QString &username) const
{
    QHash<QString, ServerEntry> entries;
    const QString name = QUuid::createUuid().toString();
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(m_folder.filePath(QStringLiteral("server.sqlite")));
        database.setConnectOptions(QStringLiteral("QSQLITE_OPEN_READONLY"));
        if (!database.open())
            qFatal("the server's database cannot be read");
        QSqlQuery query(database);
        query.prepare(QStringLiteral("SELECT e.client_entry_id, e.value, e.version, e.deleted FROM entries e "
                                     "JOIN accounts a ON a.actor_id = e.actor_id WHERE a.username = ?"));
        query.addBindValue(username);
        if (!query.exec())
            qFatal("the server's entries cannot be read: %ls", qUtf16Printable(query.lastError().text()));
        while (query.next())
            entries.insert(query.value(0).toString(), {query.value(1).toLongLong(),
                                                       query.value(2).toLongLong(), query.value(3).toBool()});
    }
    QSqlDatabase::removeDatabase(name);
    return entries;
}

} // namespace daybook
