#pragma once

#include "models/domain/clock.h"
#include "models/domain/result.h"

#include <string_view>

namespace daybook {

/// When something was recorded: the instant, and the UTC offset of the wall clock it was read from. Order is
/// by instant; what is shown is the wall clock of then and there.
struct RecordedAt
{
    Instant instant;                  ///< years 0001 to 9999 in UTC
    std::chrono::minutes utcOffset{}; ///< -23:59 to +23:59

    /// Two spellings of one instant differ here; for the same moment compare `instant`.
    bool operator==(const RecordedAt &) const = default;

    /// Strict RFC 3339: the offset is required, 1 to 9 fraction digits of which those beyond milliseconds are
    /// cut off; 24:00:00, leap seconds and impossible dates are refused. `-00:00` (offset unknown) is taken
    /// as UTC.
    static Result<RecordedAt> fromRfc3339(std::string_view text);
    /// With `Z` for UTC, and milliseconds only where there are any.
    QString toRfc3339() const;
    /// The wall clock of the place where it was recorded, carrying that offset.
    QDateTime wallClock() const;
};

/// The instant read with the offset that the computer's time zone had (or will have) at that instant.
RecordedAt recordedHere(Instant instant);

} // namespace daybook
