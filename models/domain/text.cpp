#include "models/domain/text.h"

namespace daybook {

namespace {

enum class Unit { Plain, Pair, Unstorable };

Unit unitAt(const QString &text, qsizetype index)
{
    const QChar unit = text[index];
    if (unit.isNull() || unit.isLowSurrogate())
        return Unit::Unstorable;
    if (!unit.isHighSurrogate())
        return Unit::Plain;
    const bool paired = index + 1 < text.size() && text[index + 1].isLowSurrogate();
    return paired ? Unit::Pair : Unit::Unstorable;
}

} // namespace

Result<void> checkText(const QString &text, int maximumCodePoints, QLatin1StringView name)
{
    qsizetype codePoints = 0;
    for (qsizetype i = 0; i < text.size(); ++i, ++codePoints) {
        const Unit unit = unitAt(text, i);
        if (unit == Unit::Unstorable)
            return Error{ErrorKind::InvalidText,
                         QStringLiteral("the %1 holds a character that cannot be stored (U+%2)")
                             .arg(name)
                             .arg(text[i].unicode(), 4, 16, QLatin1Char('0'))};
        if (unit == Unit::Pair)
            ++i;
    }
    if (codePoints > maximumCodePoints)
        return Error{ErrorKind::InvalidText,
                     QStringLiteral("the %1 has %2 characters; at most %3 are allowed")
                         .arg(name)
                         .arg(codePoints)
                         .arg(maximumCodePoints)};
    return {};
}

QString withoutUnstorable(const QString &text)
{
    QString kept;
    kept.reserve(text.size());
    for (qsizetype i = 0; i < text.size(); ++i) {
        const Unit unit = unitAt(text, i);
        if (unit == Unit::Unstorable)
            continue;
        kept += text[i];
        if (unit == Unit::Pair)
            kept += text[++i];
    }
    return kept;
}

} // namespace daybook
