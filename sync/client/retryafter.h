#pragma once

#include "sync/client/transport.h"

#include <optional>

namespace daybook {

constexpr Milliseconds maximumRetryAfter = std::chrono::hours(24);

/// The wait a reply asks for (RFC 9110, 10.2.3), from 0 to maximumRetryAfter: seconds, or a date measured
/// against the reply's own Date, so that this computer's clock does not matter (\p now only where it has
/// none). A date that has passed is 0. Empty where there is none or it makes no sense.
std::optional<Milliseconds> retryAfter(const TransportReply &reply, Instant now);

/// An HTTP date in any of the three forms of RFC 9110, 5.6.7. \p now settles the century of a two-digit year.
std::optional<Instant> fromHttpDate(const QByteArray &text, Instant now);

} // namespace daybook
