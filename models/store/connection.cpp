#include "models/store/connection.h"

#include "models/store/migrations.h"
#include "models/store/statement.h"
#include "models/store/storeerror.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QTemporaryFile>
#include <QUrl>
#include <QUuid>

namespace daybook {

namespace {

constexpr Milliseconds busyTimeout = std::chrono::seconds(5);
constexpr QFileDevice::Permissions ownerOnlyFile = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
constexpr QFileDevice::Permissions ownerOnlyFolder = ownerOnlyFile | QFileDevice::ExeOwner;

/// Makes the folder of \p path, private to the user. One that exists is left as it is: it may be shared.
Result<void> makeFolder(const QString &path)
{
    const QFileInfo folder(QFileInfo(path).absolutePath());
    if (folder.isDir())
        return {};
    // Another process may make it at the same moment.
    if (QDir().mkpath(folder.absolutePath() + QLatin1String("/..")) &&
        (QDir().mkdir(folder.absoluteFilePath(), ownerOnlyFolder) || folder.isDir()))
        return {};
    return Error{ErrorKind::StoreUnavailable,
                 QStringLiteral("the folder %1 cannot be made").arg(folder.absoluteFilePath())};
}

/// SQLite gives its side files the mode of the main file; this is for files that came from elsewhere.
void makePrivate(const QString &path)
{
    for (const auto *suffix : {"", "-wal", "-shm"}) {
        QFile file(path + QLatin1String(suffix));
        if (file.exists() && (file.permissions() & ~(ownerOnlyFile | QFile::ReadUser | QFile::WriteUser)))
            file.setPermissions(ownerOnlyFile);
    }
}

Error notAStore(const QString &path, const QString &why)
{
    return {ErrorKind::StoreCorrupt, QStringLiteral("%1 is left untouched: %2").arg(path, why)};
}

Result<qint64> pragma(Connection &connection, const QString &name)
{
    const auto found = selectFirst(connection, QStringLiteral("PRAGMA ") + name, readNumber);
    if (!found)
        return found.error();
    return found->value_or(0);
}

} // namespace

Connection::Connection(const QString &path)
    : m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), QUuid::createUuid().toString()))
{
    // mode=rw: never make an empty file where there is none.
    m_database.setDatabaseName(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded) +
                               QLatin1String("?mode=rw"));
    m_database.setConnectOptions(
        QStringLiteral("QSQLITE_OPEN_URI;QSQLITE_BUSY_TIMEOUT=%1").arg(busyTimeout.count()));
}

Connection::~Connection()
{
    m_prepared.clear();
    const QString name = m_database.connectionName();
    m_database = QSqlDatabase();
    QSqlDatabase::removeDatabase(name);
}

Result<std::unique_ptr<Connection>> Connection::open(const QString &path)
{
    if (!QFileInfo::exists(path)) {
        if (const auto made = makeStore(path); !made)
            return made.error();
    }
    return openExisting(path);
}

/// Builds the store under another name and moves it into place, so that no process ever meets a half-made
/// one, and an emptied file cannot be mistaken for a new one.
Result<void> Connection::makeStore(const QString &path)
{
    if (const auto made = makeFolder(path); !made)
        return made;
    QTemporaryFile file(path + QLatin1String(".new-XXXXXX"));
    if (!file.open()) {
        const bool readOnly = !QFileInfo(QFileInfo(path).absolutePath()).isWritable();
        return Error{readOnly ? ErrorKind::StoreReadOnly : ErrorKind::StoreUnavailable,
                     QStringLiteral("%1 cannot be made: %2").arg(path, file.errorString())};
    }
    file.close();
    {
        const std::unique_ptr<Connection> connection(new Connection(file.fileName()));
        if (!connection->m_database.open())
            return storeError(connection->m_database.lastError());
        if (const auto prepared = connection->prepareForUse(); !prepared)
            return prepared;
        if (const auto migrated = migrate(*connection); !migrated)
            return migrated;
    }
    // Refuses to replace: then another process was faster, and its store is as good.
    if (QFile::rename(file.fileName(), path))
        file.setAutoRemove(false);
    else if (!QFileInfo::exists(path))
        return Error{ErrorKind::StoreUnavailable, QStringLiteral("%1 cannot be made").arg(path)};
    return {};
}

Result<std::unique_ptr<Connection>> Connection::openExisting(const QString &path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return Error{ErrorKind::StoreUnavailable, QStringLiteral("%1 is no file").arg(path)};
    if (file.size() == 0)
        return notAStore(path, QStringLiteral("it is empty, so it was damaged"));
    std::unique_ptr<Connection> connection(new Connection(path));
    if (!connection->m_database.open())
        return storeError(connection->m_database.lastError());

    const auto applicationId = pragma(*connection, QStringLiteral("application_id"));
    if (!applicationId)
        return applicationId.error();
    if (*applicationId != storeApplicationId)
        return notAStore(path, QStringLiteral("it belongs to another program"));
    const auto version = pragma(*connection, QStringLiteral("user_version"));
    if (!version)
        return version.error();
    if (*version > latestSchemaVersion())
        return Error{ErrorKind::StoreTooNew, QStringLiteral("%1 has schema %2; this program knows up to %3")
                                                 .arg(path)
                                                 .arg(*version)
                                                 .arg(latestSchemaVersion())};

    makePrivate(path);
    if (const auto prepared = connection->prepareForUse(); !prepared)
        return prepared.error();
    if (*version < latestSchemaVersion())
        if (const auto migrated = migrate(*connection); !migrated)
            return migrated.error();
    return connection;
}

Result<void> Connection::prepareForUse()
{
    const auto mode = selectFirst(*this, QStringLiteral("PRAGMA journal_mode = WAL"), readText);
    if (!mode)
        return mode.error();
    if (mode->value_or(QString()) != QLatin1String("wal"))
        return Error{ErrorKind::StoreUnavailable,
                     QStringLiteral("the file system cannot share a store between processes (no WAL)")};
    for (const auto &setting :
         {QStringLiteral("PRAGMA synchronous = FULL"), QStringLiteral("PRAGMA foreign_keys = ON")})
        if (const auto set = execute(*this, setting); !set)
            return set.error();
    return {};
}

QStringList Connection::statements() const
{
    QStringList texts;
    for (const auto &[sql, query] : m_prepared)
        texts.append(sql);
    return texts;
}

QSqlQuery Connection::takePrepared(const QString &sql)
{
    if (auto kept = m_prepared.extract(sql))
        return std::move(kept.mapped());
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    query.prepare(sql); // an error shows when it is executed
    return query;
}

void Connection::giveBack(const QString &sql, QSqlQuery query)
{
    if (!query.lastError().isValid()) // one that failed may never have been prepared at all
        m_prepared.insert_or_assign(sql, std::move(query));
}

} // namespace daybook
