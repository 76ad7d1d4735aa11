#pragma once

#include "models/domain/account.h"
#include "models/domain/entry.h"
#include "models/domain/operation.h"
#include "models/domain/result.h"

#include <memory>

struct sqlite3;
struct sqlite3_stmt;

namespace daybook {

/// The least that a durable Save costs: both rows of a new entry in one transaction through the SQLite C API,
/// in a store with the same schema and the same pragmas.
class CApiStore
{
public:
    /// \p databasePath must be a store that exists.
    static Result<std::unique_ptr<CApiStore>> open(const QString &databasePath, AccountId account);
    ~CApiStore();
    Q_DISABLE_COPY_MOVE(CApiStore)

    /// Durable when it returns.
    Result<void> addEntry(const EntryFields &fields, const Operation &operation);

private:
    explicit CApiStore(AccountId account) : m_account(account) {}
    Result<void> prepare(const char *sql, sqlite3_stmt *&statement);
    Result<void> step(sqlite3_stmt *statement);
    Error lastError() const;

    AccountId m_account;
    sqlite3 *m_database = nullptr;
    sqlite3_stmt *m_begin = nullptr;
    sqlite3_stmt *m_insertEntry = nullptr;
    sqlite3_stmt *m_insertOperation = nullptr;
    sqlite3_stmt *m_commit = nullptr;
};

} // namespace daybook
