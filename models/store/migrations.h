#pragma once

#include "models/domain/result.h"

namespace daybook {

class Connection;

/// `PRAGMA application_id` of a store file, "Dayb": tells it from any other SQLite database.
constexpr int storeApplicationId = 0x44617962;

/// `PRAGMA user_version` once all migrations ran.
int latestSchemaVersion();

/// Runs the migrations that \p connection's file lacks, in their order, one transaction each. Several
/// processes may do so at once.
Result<void> migrate(Connection &connection);

} // namespace daybook
