#pragma once

#include "models/domain/result.h"

namespace daybook {

/// The first line of standard input, so that a password never stands in the list of processes. On a terminal
/// it is asked for with \p prompt, and not shown while it is typed.
Result<QString> readPassword(const char *prompt);

} // namespace daybook
