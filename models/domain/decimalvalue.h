#pragma once

#include "models/domain/result.h"

#include <QLocale>
#include <QString>

#include <compare>
#include <string_view>

namespace daybook {

/// An exact decimal number with at most three fraction digits and an absolute value of at most
/// 999,999,999,999.999. It never passes through a binary floating-point number.
class DecimalValue
{
public:
    static constexpr qint64 maximumThousandths = 999'999'999'999'999;

    constexpr DecimalValue() = default;
    /// Refuses what is out of range.
    static Result<DecimalValue> fromThousandths(qint64 thousandths);
    /// Reads a JSON number (RFC 8259: `-12.5`, `1.50e1`; no leading plus, zero or point) exactly. Trailing
    /// zeros of the fraction do not count; a fourth fraction digit other than zero is refused, never rounded.
    /// `-0` is 0.
    static Result<DecimalValue> fromJsonNumber(std::string_view text);
    /// Reads what a person typed or pasted: the decimal separator of \p locale or a point, no exponent, the
    /// locale's group separators only where they group by three, ASCII or the locale's own digits. What could
    /// mean two numbers
    /// (`1.234` where a point groups) is refused rather than guessed.
    static Result<DecimalValue> fromUserText(const QString &text, const QLocale &locale);

    constexpr qint64 thousandths() const { return m_thousandths; }
    /// JSON form: no exponent, no trailing zeros, no `-0`.
    QString toString() const;
    /// For people: the locale's decimal separator and digits, no group separators, no trailing zeros.
    QString toUserText(const QLocale &locale) const;

    constexpr auto operator<=>(const DecimalValue &) const = default;

private:
    constexpr explicit DecimalValue(qint64 thousandths) : m_thousandths(thousandths) {}

    qint64 m_thousandths = 0;
};

} // namespace daybook
