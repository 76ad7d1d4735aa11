#include "tests/bench/capistore.h"

#include <QFile>

#include <sqlite3.h>

namespace daybook {

namespace {

// The caller keeps the bytes until the statement has run.
void bindBytes(sqlite3_stmt *statement, int position, const QByteArray &bytes)
{
    sqlite3_bind_blob(statement, position, bytes.constData(), static_cast<int>(bytes.size()), SQLITE_STATIC);
}

void bindText(sqlite3_stmt *statement, int position, const QByteArray &utf8)
{
    sqlite3_bind_text(statement, position, utf8.constData(), static_cast<int>(utf8.size()), SQLITE_STATIC);
}

} // namespace

Result<std::unique_ptr<CApiStore>> CApiStore::open(const QString &databasePath, AccountId account)
{
    std::unique_ptr<CApiStore> store(new CApiStore(account));
    if (sqlite3_open_v2(QFile::encodeName(databasePath).constData(), &store->m_database,
                        SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK)
        return store->lastError();
    constexpr const char *pragmas =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON";
    if (sqlite3_exec(store->m_database, pragmas, nullptr, nullptr, nullptr) != SQLITE_OK)
        return store->lastError();
    const std::initializer_list<std::pair<const char *, sqlite3_stmt **>> statements = {
        {"BEGIN IMMEDIATE", &store->m_begin},
        {R"(INSERT INTO entries (account_id, local_id, value, recorded_at, recorded_offset, category, note,
    deleted, sync_state, sync_error) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 1, ''))",
         &store->m_insertEntry},
        {R"(INSERT INTO offline_operations (operation_id, account_id, local_entity_id, operation_type,
    payload_version, payload_json, payload_fingerprint, state, created_at, is_head)
VALUES (?, ?, ?, 1, ?, ?, ?, 0, ?, 1))",
         &store->m_insertOperation},
        {"COMMIT", &store->m_commit},
    };
    for (const auto &[sql, statement] : statements)
        if (const auto prepared = store->prepare(sql, *statement); !prepared)
            return prepared.error();
    return store;
}

CApiStore::~CApiStore()
{
    for (sqlite3_stmt *statement : {m_begin, m_insertEntry, m_insertOperation, m_commit})
        sqlite3_finalize(statement);
    sqlite3_close(m_database);
}

Result<void> CApiStore::addEntry(const EntryFields &fields, const Operation &operation)
{
    const QByteArray entryId = operation.entryId.uuid().toRfc4122();
    const QByteArray operationId = operation.id.uuid().toRfc4122();
    const QByteArray category = fields.category.toUtf8();
    const QByteArray note = fields.note.toUtf8();

    sqlite3_bind_int64(m_insertEntry, 1, m_account.key());
    bindBytes(m_insertEntry, 2, entryId);
    sqlite3_bind_int64(m_insertEntry, 3, fields.value.thousandths());
    sqlite3_bind_int64(m_insertEntry, 4, toEpochMilliseconds(fields.recordedAt.instant));
    sqlite3_bind_int64(m_insertEntry, 5, fields.recordedAt.utcOffset.count());
    bindText(m_insertEntry, 6, category);
    bindText(m_insertEntry, 7, note);

    bindBytes(m_insertOperation, 1, operationId);
    sqlite3_bind_int64(m_insertOperation, 2, m_account.key());
    bindBytes(m_insertOperation, 3, entryId);
    sqlite3_bind_int(m_insertOperation, 4, operation.payloadVersion);
    bindBytes(m_insertOperation, 5, operation.payload);
    bindBytes(m_insertOperation, 6, operation.fingerprint);
    sqlite3_bind_int64(m_insertOperation, 7, toEpochMilliseconds(operation.createdAt));

    for (sqlite3_stmt *statement : {m_begin, m_insertEntry, m_insertOperation, m_commit})
        if (const auto done = step(statement); !done)
            return done;
    return {};
}

Result<void> CApiStore::prepare(const char *sql, sqlite3_stmt *&statement)
{
    if (sqlite3_prepare_v2(m_database, sql, -1, &statement, nullptr) != SQLITE_OK)
        return lastError();
    return {};
}

Result<void> CApiStore::step(sqlite3_stmt *statement)
{
    const bool done = sqlite3_step(statement) == SQLITE_DONE;
    if (sqlite3_reset(statement) != SQLITE_OK || !done)
        return lastError();
    return {};
}

Error CApiStore::lastError() const
{
    return {ErrorKind::StoreUnavailable, QString::fromUtf8(sqlite3_errmsg(m_database))};
}

} // namespace daybook
