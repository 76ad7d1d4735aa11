// daybook-bench-select FILE LIMIT: opens a store through the SQLite C API and prints its newest entries. What
// a list of the newest entries costs at the least.

#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr const char *newest = R"(SELECT lower(hex(local_id)), value, recorded_at, category, note, sync_state
FROM entries WHERE account_id = (SELECT max(account_id) FROM accounts) AND deleted = 0
ORDER BY recorded_at DESC, local_id LIMIT ?)";

} // namespace

int main(int count, char **arguments)
{
    if (count != 3)
        return 2;
    sqlite3 *store = nullptr;
    sqlite3_stmt *rows = nullptr;
    if (sqlite3_open_v2(arguments[1], &store, SQLITE_OPEN_READWRITE, nullptr) != SQLITE_OK ||
        sqlite3_prepare_v2(store, newest, -1, &rows, nullptr) != SQLITE_OK) {
        std::fprintf(stderr, "%s\n", sqlite3_errmsg(store));
        sqlite3_close(store);
        return 1;
    }
    sqlite3_bind_int(rows, 1, std::atoi(arguments[2]));
    while (sqlite3_step(rows) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count(rows); ++column)
            std::printf("%s\n", reinterpret_cast<const char *>(sqlite3_column_text(rows, column)));
    sqlite3_finalize(rows);
    sqlite3_close(store);
    return 0;
}
