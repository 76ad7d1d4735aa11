#include "sync/client/retrypolicy.h"

#include <algorithm>

namespace daybook {

namespace {

using std::chrono::seconds;

constexpr Milliseconds firstWait = seconds(1);
constexpr Milliseconds longestOperationWait = std::chrono::hours(1);
constexpr Milliseconds longestProbeWait = seconds(300);
constexpr int jitterShareOfRetryAfter = 10; ///< a tenth

/// 1 s, 2 s, 4 s ... \p longest.
Milliseconds doubled(int step, Milliseconds longest)
{
    const int doublings = std::clamp(step - 1, 0, 20); // far beyond the longest wait, far below an overflow
    return std::min(firstWait * (1 << doublings), longest);
}

Milliseconds upTo(Milliseconds longest, Random &random)
{
    return Milliseconds(
        static_cast<Milliseconds::rep>(random.unit() * static_cast<double>(longest.count() + 1)));
}

} // namespace

Milliseconds operationWait(int chargedAttempts, Random &random)
{
    return upTo(doubled(chargedAttempts, longestOperationWait), random);
}

Milliseconds probeWait(int step, Random &random)
{
    const Milliseconds half = doubled(step, longestProbeWait) / 2;
    return half + upTo(half, random);
}

Milliseconds blockedWait(Milliseconds retryAfter, Random &random)
{
    return retryAfter + upTo(retryAfter / jitterShareOfRetryAfter, random);
}

} // namespace daybook
