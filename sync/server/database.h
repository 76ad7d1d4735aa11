#pragma once

#include "models/domain/result.h"

#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

#include <memory>
#include <unordered_map>

namespace daybook {

/// One SQLite connection and the statements prepared on it. **Thread:** the one that opened it.
class Database
{
public:
    /// Opens \p path (a missing file is made, for its owner only): WAL, synchronous=FULL, foreign keys.
    static Result<std::unique_ptr<Database>> open(const QString &path);
    ~Database();
    Q_DISABLE_COPY_MOVE(Database)

    /// Runs a statement without values. False: it failed, which is logged.
    bool run(const char *sql);
    /// The statement, prepared once per connection; \p sql must be a literal, since its address is the key.
    /// Null: it cannot be prepared, and \p error says why.
    QSqlQuery *prepared(const char *sql, QSqlError &error);

private:
    explicit Database(const QString &connectionName);

    QSqlDatabase m_database;
    std::unordered_map<const char *, QSqlQuery> m_statements;
};

/// Whether SQLite itself is out (disk, lock, memory) rather than this program's statement at fault.
bool meansStorageIsOut(const QSqlError &error);
void logFailure(const char *sql, const QSqlError &error);

} // namespace daybook
