#pragma once

#include "models/domain/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>

#include <memory>
#include <unordered_map>

namespace daybook {

/// One SQLite connection to a store file: WAL, synchronous=FULL, foreign keys on, file mode 0600, folder
/// 0700.
/// **Thread:** the one that opened it; closed when it ends.
class Connection
{
public:
    /// Opens \p path, making file and folder where they are missing, and brings the schema up to date. A
    /// newer schema is refused (StoreTooNew), a file that is no database or was emptied too (StoreCorrupt);
    /// neither is touched.
    static Result<std::unique_ptr<Connection>> open(const QString &path);
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    const QSqlDatabase &database() const { return m_database; }
    /// The statements it keeps prepared: all that were used so far.
    QStringList statements() const;

private:
    friend class Statement;

    explicit Connection(const QString &path);
    static Result<std::unique_ptr<Connection>> openExisting(const QString &path);
    static Result<void> makeStore(const QString &path);
    Result<void> prepareForUse();

    /// Prepared once, used many times; a statement in use is taken out.
    QSqlQuery takePrepared(const QString &sql);
    void giveBack(const QString &sql, QSqlQuery query);

    QSqlDatabase m_database;
    std::unordered_map<QString, QSqlQuery> m_prepared;
};

} // namespace daybook
