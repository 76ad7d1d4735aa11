#pragma once

#include "models/domain/result.h"

#include <QString>

namespace daybook {

constexpr int maximumCategoryCodePoints = 64;
constexpr int maximumNoteCodePoints = 2000;

/// Valid Unicode without U+0000 and without lone surrogates, of at most \p maximumCodePoints code points; \p
/// name (such as "note") stands in the error. Nothing is changed: text is kept as typed.
Result<void> checkText(const QString &text, int maximumCodePoints, QLatin1StringView name);

/// Without what can never be stored (U+0000, lone surrogates): for text that is pasted, where nobody typed
/// them.
QString withoutUnstorable(const QString &text);

} // namespace daybook
