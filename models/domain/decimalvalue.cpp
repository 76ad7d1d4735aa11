#include "models/domain/decimalvalue.h"

#include <QStringList>

#include <algorithm>
#include <optional>
#include <string>

namespace daybook {

namespace {

Error notANumber() { return {ErrorKind::InvalidValue, QStringLiteral("the value is not a number")}; }

Error tooManyFractionDigits()
{
    return {ErrorKind::InvalidValue,
            QStringLiteral("the value has more than three digits after the decimal separator")};
}

Error outOfRange()
{
    return {ErrorKind::InvalidValue, QStringLiteral("the value is beyond 999,999,999,999.999")};
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Takes the leading digits off \p text.
std::string_view takeDigits(std::string_view &text)
{
    size_t length = 0;
    while (length < text.size() && isDigit(text[length]))
        ++length;
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
}

/// The exponent behind `e` or `E`; saturates, since anything beyond the saturation is out of range or needs
/// too many fraction digits anyway, unless the number is zero.
std::optional<int> takeExponent(std::string_view &text)
{
    if (text.empty() || (text.front() != 'e' && text.front() != 'E'))
        return 0;
    text.remove_prefix(1);
    const bool negative = !text.empty() && text.front() == '-';
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    const std::string_view digits = takeDigits(text);
    if (digits.empty())
        return std::nullopt;
    constexpr int limit = 1'000'000;
    int exponent = 0;
    for (const char digit : digits)
        exponent = std::min(limit, exponent * 10 + (digit - '0'));
    return negative ? -exponent : exponent;
}

/// The magnitude of 0.DIGITS times ten to the power of \p point, in thousandths. \p digits has neither
/// leading nor trailing zeros and is not empty.
Result<qint64> thousandthsOf(std::string_view digits, qint64 point)
{
    constexpr qint64 wholeDigits = 12;
    constexpr qint64 fractionDigits = 3;
    if (point > wholeDigits)
        return outOfRange();
    if (static_cast<qint64>(digits.size()) - point > fractionDigits)
        return tooManyFractionDigits();
    qint64 thousandths = 0;
    for (const char digit : digits)
        thousandths = thousandths * 10 + (digit - '0');
    for (qint64 place = static_cast<qint64>(digits.size()); place < point + fractionDigits; ++place)
        thousandths *= 10;
    return thousandths;
}

/// What a person typed, brought to the form `-123.45`; empty where it is no number or could be two.
QByteArray plainForm(const QString &text, const QLocale &locale)
{
    const QString zero = locale.zeroDigit();
    QByteArray plain;
    for (const QChar c : text) {
        if (c.category() == QChar::Other_Format) // direction marks around signs
            continue;
        const int own = c.unicode() - zero[0].unicode();
        if (c.isDigit() && c.unicode() < 0x80)
            plain += c.toLatin1();
        else if (zero.size() == 1 && own >= 0 && own <= 9)
            plain += static_cast<char>('0' + own);
        else if (c == QChar(0x2212) || locale.negativeSign().contains(c) || c == QLatin1Char('-'))
            plain += '-';
        else if (locale.decimalPoint() == c || c == QLatin1Char('.'))
            plain += '.';
        else
            return {};
    }
    return plain;
}

bool isGroupedByThree(const QStringList &groups)
{
    if (groups.size() < 2 || groups.first().isEmpty() || groups.first().size() > 3)
        return false;
    return std::all_of(groups.begin() + 1, groups.end(),
                       [](const QString &group) { return group.size() == 3; });
}

/// \p text without the locale's group separators; nothing where a separator stands out of place, or where a
/// point that groups here could as well have been meant as a decimal point.
std::optional<QString> withoutGroups(const QString &text, const QLocale &locale)
{
    QString separator = locale.groupSeparator();
    QString spaced = text;
    if (!separator.isEmpty() && separator[0].isSpace()) {
        separator = QStringLiteral(" ");
        std::replace_if(
            spaced.begin(), spaced.end(), [](QChar c) { return c.isSpace(); }, QLatin1Char(' '));
    }
    const qsizetype point = spaced.indexOf(locale.decimalPoint());
    const QString whole = point < 0 ? spaced : spaced.left(point);
    const QString fraction = point < 0 ? QString() : spaced.mid(point);
    if (separator.isEmpty() || !spaced.contains(separator))
        return spaced;
    if (fraction.contains(separator))
        return std::nullopt;
    const bool signedWhole = whole.startsWith(QLatin1Char('-')) || whole.startsWith(QChar(0x2212));
    const QStringList groups = whole.mid(signedWhole ? 1 : 0).split(separator);
    const bool onePoint = separator == QLatin1String(".") && groups.size() == 2 && fraction.isEmpty();
    if (onePoint) // "93.5" pasted where a comma is usual is clear; "1.234" is not
        return groups.last().size() == 3 ? std::nullopt : std::optional(spaced);
    if (!isGroupedByThree(groups))
        return std::nullopt;
    return QString(whole).remove(separator) + fraction;
}

} // namespace

Result<DecimalValue> DecimalValue::fromThousandths(qint64 thousandths)
{
    if (thousandths > maximumThousandths || thousandths < -maximumThousandths)
        return outOfRange();
    return DecimalValue(thousandths);
}

Result<DecimalValue> DecimalValue::fromJsonNumber(std::string_view text)
{
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    const std::string_view whole = takeDigits(text);
    if (whole.empty() || (whole.size() > 1 && whole.front() == '0'))
        return notANumber();
    std::string_view fraction;
    if (!text.empty() && text.front() == '.') {
        text.remove_prefix(1);
        fraction = takeDigits(text);
        if (fraction.empty())
            return notANumber();
    }
    const std::optional<int> exponent = takeExponent(text);
    if (!exponent || !text.empty())
        return notANumber();

    std::string digits(whole);
    digits += fraction;
    const size_t last = digits.find_last_not_of('0');
    if (last == std::string::npos)
        return DecimalValue(0);
    const size_t first = digits.find_first_not_of('0');
    const qint64 point = static_cast<qint64>(whole.size()) - static_cast<qint64>(first) + *exponent;
    const auto magnitude = thousandthsOf(std::string_view(digits).substr(first, last - first + 1), point);
    if (!magnitude)
        return magnitude.error();
    return fromThousandths(negative ? -*magnitude : *magnitude);
}

Result<DecimalValue> DecimalValue::fromUserText(const QString &text, const QLocale &locale)
{
    const std::optional<QString> ungrouped = withoutGroups(text.trimmed(), locale);
    if (!ungrouped)
        return Error{ErrorKind::InvalidValue,
                     QStringLiteral("the value can be read in two ways; leave out the group separators")};
    QByteArray plain = plainForm(*ungrouped, locale);
    // People write ".5", "5." and "007"; JSON does not.
    const qsizetype sign = plain.startsWith('-') ? 1 : 0;
    while (plain.size() > sign + 1 && plain[sign] == '0' && isDigit(plain[sign + 1]))
        plain.remove(sign, 1);
    if (plain.size() > sign + 1 && plain[sign] == '.')
        plain.insert(sign, '0');
    if (plain.size() > sign + 1 && plain.endsWith('.'))
        plain.chop(1);
    return fromJsonNumber(std::string_view(plain.constData(), static_cast<size_t>(plain.size())));
}

QString DecimalValue::toString() const
{
    const qint64 magnitude = m_thousandths < 0 ? -m_thousandths : m_thousandths;
    QString text = m_thousandths < 0 ? QStringLiteral("-") : QString();
    text += QString::number(magnitude / 1000);
    if (magnitude % 1000 == 0)
        return text;
    text += QLatin1Char('.') + QString::number(magnitude % 1000).rightJustified(3, QLatin1Char('0'));
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    return text;
}

QString DecimalValue::toUserText(const QLocale &locale) const
{
    QString text;
    for (const QChar c : toString()) {
        if (c == QLatin1Char('-'))
            text += locale.negativeSign();
        else if (c == QLatin1Char('.'))
            text += locale.decimalPoint();
        else if (locale.zeroDigit().size() == 1)
            text += QChar(static_cast<char16_t>(locale.zeroDigit()[0].unicode() + (c.unicode() - u'0')));
        else
            text += c;
    }
    return text;
}

} // namespace daybook
