#pragma once

#include "models/domain/clock.h"

#include <QString>

namespace daybook {

/// `40 s`, `5 min`, `3 h`, `2 d`: one unit, rounded down, never less than nothing.
QString durationText(Milliseconds duration);
/// The local time of day, `14:05`; with its date where that is not the one of \p now.
QString momentText(Instant at, Instant now);

} // namespace daybook
