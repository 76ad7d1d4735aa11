#pragma once

#include "models/store/audit.h"

namespace daybook {

/// The part of audit() that reads operations one by one: each payload against its fingerprint (invariant 5),
/// and what is shown of an entry, and its badge, against its unfinished operations (7). Inside the read
/// transaction of its caller.
Result<void> auditOperations(Connection &connection, AuditReport &report);

} // namespace daybook
