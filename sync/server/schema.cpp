#include "sync/server/schema.h"

#include <array>
#include <span>

namespace daybook {
namespace {

// The actor leads every key: nothing is found without saying whose it is. Only tokens are looked up by
// themselves, since they are what says who is asking. Instants are UTC milliseconds.
constexpr const char *firstSchema[] = {
    // The epoch tells a restored database from the one clients have read before.
    "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    "INSERT INTO meta VALUES ('epoch', lower(hex(randomblob(16))))",

    // last_change: the number of the account's latest change; the change feed goes by it.
    "CREATE TABLE accounts ("
    " actor_id INTEGER PRIMARY KEY,"
    " account_id TEXT NOT NULL UNIQUE,"
    " username TEXT NOT NULL,"
    " username_key TEXT NOT NULL UNIQUE,"
    " display_name TEXT NOT NULL,"
    " password_hash TEXT NOT NULL,"
    " last_change INTEGER NOT NULL DEFAULT 0,"
    " created_at INTEGER NOT NULL) STRICT",

    // A session is a family of token pairs: each refresh adds the next pair.
    "CREATE TABLE sessions ("
    " session_id INTEGER PRIMARY KEY,"
    " actor_id INTEGER NOT NULL REFERENCES accounts,"
    " device_name TEXT NOT NULL,"
    " created_at INTEGER NOT NULL) STRICT",
    "CREATE INDEX sessions_by_actor ON sessions (actor_id)",
    "CREATE TABLE token_pairs ("
    " session_id INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,"
    " number INTEGER NOT NULL,"
    " access_hash BLOB NOT NULL UNIQUE,"
    " refresh_hash BLOB NOT NULL UNIQUE,"
    " access_expires_at INTEGER NOT NULL,"
    " first_used_at INTEGER,"
    " voided INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (session_id, number)) STRICT",

    "CREATE TABLE entries ("
    " actor_id INTEGER NOT NULL REFERENCES accounts,"
    " client_entry_id TEXT NOT NULL,"
    " entry_id TEXT NOT NULL,"
    " version INTEGER NOT NULL,"
    " deleted INTEGER NOT NULL,"
    " value INTEGER NOT NULL,"
    " recorded_at INTEGER NOT NULL,"
    " recorded_offset INTEGER NOT NULL,"
    " category TEXT NOT NULL,"
    " note TEXT NOT NULL,"
    " created_at INTEGER NOT NULL,"
    " updated_at INTEGER NOT NULL,"
    " change_number INTEGER NOT NULL,"
    " last_operation_id TEXT NOT NULL,"
    " PRIMARY KEY (actor_id, client_entry_id),"
    " UNIQUE (actor_id, change_number)) STRICT",

    // Until response_expires_at a repeat gets the response; until tombstone_expires_at it is still known.
    "CREATE TABLE idempotency_records ("
    " actor_id INTEGER NOT NULL REFERENCES accounts,"
    " operation_id TEXT NOT NULL,"
    " operation_type INTEGER NOT NULL,"
    " fingerprint BLOB NOT NULL,"
    " fingerprint_version INTEGER NOT NULL,"
    " status TEXT NOT NULL CHECK (status IN ('processing', 'completed')),"
    " response_status INTEGER,"
    " response_headers BLOB,"
    " response_body BLOB,"
    " client_entry_id TEXT NOT NULL,"
    " resource_id TEXT,"
    " resource_version INTEGER,"
    " created_at INTEGER NOT NULL,"
    " completed_at INTEGER,"
    " response_expires_at INTEGER NOT NULL,"
    " tombstone_expires_at INTEGER NOT NULL,"
    " PRIMARY KEY (actor_id, operation_id)) STRICT",

    "PRAGMA user_version = 1",
};

using Migration = std::span<const char *const>;
/// The step from schema version n to n + 1 stands at index n.
const std::array migrations = {Migration(firstSchema)};

Result<int> schemaVersion(Database &database)
{
    QSqlError error;
    QSqlQuery *query = database.prepared("PRAGMA user_version", error);
    if (query == nullptr || !query->exec() || !query->next())
        return Error{ErrorKind::StoreUnavailable, QStringLiteral("The database cannot be read.")};
    const int version = query->value(0).toInt();
    query->finish();
    return version;
}

bool apply(Database &database, Migration migration)
{
    for (const char *statement : migration) {
        if (!database.run(statement))
            return false;
    }
    return true;
}

} // namespace

Result<void> migrate(Database &database)
{
    const Error failed{ErrorKind::StoreUnavailable,
                       QStringLiteral("The database cannot be brought up to date.")};
    if (!database.run("BEGIN IMMEDIATE")) // before reading the version: another process may be at it as well
        return failed;
    const auto version = schemaVersion(database);
    bool done = version.ok();
    const bool tooNew = done && *version > static_cast<int>(migrations.size());
    for (auto next = done ? static_cast<std::size_t>(*version) : 0; done && next < migrations.size(); ++next)
        done = apply(database, migrations[next]);
    if (done && !tooNew && database.run("COMMIT"))
        return {};
    database.run("ROLLBACK");
    if (tooNew)
        return Error{ErrorKind::StoreTooNew,
                     QStringLiteral("The database was written by a newer version of daybook-server.")};
    return failed;
}

} // namespace daybook
