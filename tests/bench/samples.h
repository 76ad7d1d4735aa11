#pragma once

#include "models/domain/entry.h"

namespace daybook {

/// An entry as people make them, another one for each \p number.
inline EntryFields sampleFields(int number, Instant now)
{
    return {*DecimalValue::fromThousandths(60'000 + number % 20'000), recordedHere(now),
            QStringLiteral("category %1").arg(number % 12),
            QStringLiteral("measured in the morning, number %1").arg(number)};
}

} // namespace daybook
