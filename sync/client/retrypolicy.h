#pragma once

#include "models/domain/clock.h"
#include "models/domain/random.h"

namespace daybook {

// How long to wait, as pure functions. Jitter keeps clients that failed together from coming back together.

/// Backoff of one operation after \p chargedAttempts (1 and up) without success: anything from 0 to 1 s, then
/// to 2 s, 4 s ... 1 h ("full jitter").
Milliseconds operationWait(int chargedAttempts, Random &random);

/// Until the next probe of a server that could not be reached \p step times in a row (1 and up): 1 s, 2 s,
/// 4 s ... 5 min, of which the second half is left to chance.
Milliseconds probeWait(int step, Random &random);

/// What the server asked for as a floor, plus up to a tenth of it.
Milliseconds blockedWait(Milliseconds retryAfter, Random &random);

} // namespace daybook
