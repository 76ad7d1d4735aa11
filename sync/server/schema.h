#pragma once

#include "sync/server/database.h"

namespace daybook {

/// Brings the schema up to date in one transaction (`user_version`). A newer one is refused
/// (StoreTooNew) and not touched.
Result<void> migrate(Database &database);

} // namespace daybook
