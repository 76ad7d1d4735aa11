#include "sync/server/database.h"

#include "models/domain/logging.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

namespace daybook {
namespace {

constexpr int busyTimeoutMilliseconds = 1000; // another process: `account add`, `purge`

/// SQLite's primary result codes (sqlite3.h); the driver hands them over as text.
enum SqliteCode {
    None = 0, // the driver's own: a wrong number of values
    GeneralError = 1,
    Corrupt = 11,
    TooBig = 18,
    Constraint,
    Mismatch,
    Misuse,
    Range = 25,
    NotADatabase
};

int primaryCode(const QSqlError &error) { return error.nativeErrorCode().toInt() & 0xff; }

Error openError(const QSqlError &error)
{
    const int code = primaryCode(error);
    const bool damaged = code == Corrupt || code == NotADatabase;
    return {damaged ? ErrorKind::StoreCorrupt : ErrorKind::StoreUnavailable,
            QStringLiteral("The database cannot be opened: %1.").arg(error.text())};
}

/// SQLite gives its -wal and -shm files the mode of the database file.
Result<void> makeFile(const QString &path)
{
    const auto owner = QFileDevice::ReadOwner | QFileDevice::WriteOwner;
    QDir folder = QFileInfo(path).dir();
    if (!folder.exists()) {
        if (!folder.mkpath(QStringLiteral(".")))
            return Error{ErrorKind::StoreUnavailable,
                         QStringLiteral("The folder %1 cannot be made.").arg(folder.path())};
        QFile::setPermissions(folder.path(), owner | QFileDevice::ExeOwner);
    }
    QFile file(path);
    if (file.exists())
        return {};
    if (!file.open(QIODevice::ReadWrite, owner))
        return Error{ErrorKind::StoreUnavailable,
                     QStringLiteral("The file %1 cannot be made: %2.").arg(path, file.errorString())};
    return {};
}

} // namespace

Database::Database(const QString &connectionName)
    : m_database(QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), connectionName))
{
}

Database::~Database()
{
    const QString name = m_database.connectionName();
    m_statements.clear();
    m_database.close();
    m_database = {};
    QSqlDatabase::removeDatabase(name);
}

Result<std::unique_ptr<Database>> Database::open(const QString &path)
{
    if (const auto made = makeFile(path); !made)
        return made.error();
    std::unique_ptr<Database> database(new Database(QUuid::createUuid().toString()));
    QSqlDatabase &connection = database->m_database;
    connection.setDatabaseName(path);
    connection.setConnectOptions(QStringLiteral("QSQLITE_BUSY_TIMEOUT=%1").arg(busyTimeoutMilliseconds));
    if (!connection.open())
        return openError(connection.lastError());
    for (const char *pragma :
         {"PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL", "PRAGMA foreign_keys = ON"}) {
        QSqlQuery query(connection);
        if (!query.exec(QLatin1StringView(pragma)))
            return openError(query.lastError());
    }
    return database;
}

bool Database::run(const char *sql)
{
    QSqlError error;
    QSqlQuery *query = prepared(sql, error);
    if (query != nullptr) {
        if (!query->exec())
            error = query->lastError();
        query->finish();
    }
    if (error.isValid())
        logFailure(sql, error);
    return !error.isValid();
}

QSqlQuery *Database::prepared(const char *sql, QSqlError &error)
{
    if (const auto known = m_statements.find(sql); known != m_statements.end())
        return &known->second;
    QSqlQuery query(m_database);
    query.setForwardOnly(true);
    if (!query.prepare(QLatin1StringView(sql))) {
        error = query.lastError();
        return nullptr;
    }
    return &m_statements.emplace(sql, std::move(query)).first->second;
}

bool meansStorageIsOut(const QSqlError &error)
{
    switch (primaryCode(error)) {
    case None:
    case GeneralError:
    case TooBig:
    case Constraint:
    case Mismatch:
    case Misuse:
    case Range: return false;
    default: return true;
    }
}

void logFailure(const char *sql, const QSqlError &error)
{
    qCWarning(lcServer, "Statement failed (%s): %s", qUtf8Printable(error.text()), sql);
}

} // namespace daybook
