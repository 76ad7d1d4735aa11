#pragma once

#include "models/domain/result.h"

#include <QSqlDatabase>

#include <memory>

namespace daybook {

/// One SQLite connection to a store file: WAL, synchronous=FULL, foreign keys on, file mode 0600, folder
/// 0700.
/// **Thread:** the one that opened it; closed when it ends.
class Connection
{
public:
    /// Opens \p path, making file and folder where they are missing, and brings the schema up to date. A
    /// newer schema is refused (StoreTooNew), a file that is no database too (StoreCorrupt); neither is
    /// touched.
    static Result<std::unique_ptr<Connection>> open(const QString &path);
    ~Connection();
    Q_DISABLE_COPY_MOVE(Connection)

    const QSqlDatabase &database() const { return m_database; }

private:
    explicit Connection(const QString &name);

    QSqlDatabase m_database;
};

} // namespace daybook
