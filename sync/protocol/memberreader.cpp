#include "sync/protocol/memberreader.h"

#include <algorithm>

namespace daybook {

using namespace Qt::StringLiterals;

namespace {

/// A full list would let a small request ask for a large reply.
constexpr qsizetype maximumRefusedListed = 32;

std::optional<qint64> wholeNumber(const JsonNumber &number)
{
    const auto value = DecimalValue::fromJsonNumber(number.text);
    if (!value || value->thousandths() % 1000 != 0)
        return std::nullopt;
    return value->thousandths() / 1000;
}

} // namespace

MemberReader::MemberReader(const JsonValue &value) : m_members(std::get_if<JsonObject>(&value.content))
{
    if (!m_members)
        note(QString(), QStringLiteral("must be an object"));
}

const JsonValue *MemberReader::find(QLatin1StringView name) const
{
    if (!m_members)
        return nullptr;
    const auto member = std::find_if(m_members->begin(), m_members->end(),
                                     [name](const JsonMember &candidate) { return candidate.name == name; });
    return member == m_members->end() ? nullptr : &member->value;
}

bool MemberReader::has(QLatin1StringView name) const
{
    const JsonValue *value = find(name);
    return value && !value->isNull();
}

template<typename T>
const T *MemberReader::required(QLatin1StringView name, QLatin1StringView kind)
{
    m_asked.append(name);
    const JsonValue *value = find(name);
    const T *content = value ? std::get_if<T>(&value->content) : nullptr;
    if (!content)
        refuse(name, value ? QStringLiteral("must be %1").arg(kind) : QStringLiteral("is required"));
    return content;
}

QString MemberReader::text(QLatin1StringView name, int maximumCodePoints)
{
    const QString *text = required<QString>(name, "a string"_L1);
    if (!text)
        return {};
    if (const auto checked = checkText(*text, maximumCodePoints, name); !checked)
        refuse(name, checked.error().detail);
    return *text;
}

QString MemberReader::text(QLatin1StringView name, Result<void> (*rule)(const QString &))
{
    const QString *text = required<QString>(name, "a string"_L1);
    if (!text)
        return {};
    if (const auto checked = rule(*text); !checked)
        refuse(name, checked.error().detail);
    return *text;
}

QString MemberReader::optionalText(QLatin1StringView name, int maximumCodePoints)
{
    if (has(name))
        return text(name, maximumCodePoints);
    m_asked.append(name);
    return {};
}

DecimalValue MemberReader::decimal(QLatin1StringView name)
{
    const auto *number = required<JsonNumber>(name, "a number"_L1);
    if (!number)
        return {};
    const auto value = DecimalValue::fromJsonNumber(number->text);
    if (value)
        return *value;
    refuse(name, value.error().detail);
    return {};
}

RecordedAt MemberReader::time(QLatin1StringView name)
{
    const auto *text = required<QString>(name, "a string"_L1);
    if (!text)
        return {};
    const auto time = RecordedAt::fromRfc3339(text->toStdString());
    if (time)
        return *time;
    refuse(name, time.error().detail);
    return {};
}

bool MemberReader::flag(QLatin1StringView name)
{
    const bool *flag = required<bool>(name, "true or false"_L1);
    return flag && *flag;
}

qint64 MemberReader::integer(QLatin1StringView name, qint64 minimum, qint64 maximum)
{
    const auto *number = required<JsonNumber>(name, "a number"_L1);
    if (!number)
        return minimum;
    const std::optional<qint64> whole = wholeNumber(*number);
    if (whole && *whole >= minimum && *whole <= maximum)
        return *whole;
    refuse(name, QStringLiteral("must be a whole number of at least %1").arg(minimum));
    return minimum;
}

ClientEntryId MemberReader::entryId(QLatin1StringView name)
{
    const auto *text = required<QString>(name, "a string"_L1);
    if (!text)
        return {};
    const auto id = ClientEntryId::fromString(*text);
    if (!id)
        refuse(name, QStringLiteral("must be a UUID, such as 4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12"));
    return id.value_or(ClientEntryId());
}

const JsonValue *MemberReader::object(QLatin1StringView name)
{
    return required<JsonObject>(name, "an object"_L1) ? find(name) : nullptr;
}

const JsonArray &MemberReader::array(QLatin1StringView name)
{
    static const JsonArray none;
    const auto *array = required<JsonArray>(name, "an array"_L1);
    return array ? *array : none;
}

QList<int> MemberReader::integers(QLatin1StringView name)
{
    QList<int> integers;
    for (const JsonValue &element : array(name)) {
        const auto *number = std::get_if<JsonNumber>(&element.content);
        const std::optional<qint64> whole = number ? wholeNumber(*number) : std::nullopt;
        if (whole && *whole >= 0 && *whole <= std::numeric_limits<int>::max())
            integers.append(static_cast<int>(*whole));
        else
            refuse(name, QStringLiteral("must hold whole numbers"));
    }
    return integers;
}

QStringList MemberReader::texts(QLatin1StringView name)
{
    QStringList texts;
    for (const JsonValue &element : array(name)) {
        if (const auto *text = std::get_if<QString>(&element.content))
            texts.append(*text);
        else
            refuse(name, QStringLiteral("must hold strings"));
    }
    return texts;
}

void MemberReader::schemaVersion(int supported)
{
    const auto *number = required<JsonNumber>("schemaVersion"_L1, "a number"_L1);
    m_otherSchema = number && wholeNumber(*number) != supported;
}

void MemberReader::refuse(QLatin1StringView name, const QString &detail)
{
    if (m_members)
        note(pointerStep(name), detail);
}

void MemberReader::refuseOthers()
{
    if (!m_members)
        return;
    for (const JsonMember &member : *m_members)
        if (std::find(m_asked.begin(), m_asked.end(), member.name) == m_asked.end())
            note(pointerStep(member.name), QStringLiteral("is not known"));
}

void MemberReader::note(const QString &pointer, const QString &detail)
{
    if (m_refused.size() < maximumRefusedListed)
        m_refused.append({pointer, detail});
}

Problem MemberReader::problem() const
{
    if (m_otherSchema)
        return {.code = ProblemCode::SchemaVersionUnsupported,
                .detail = QStringLiteral("This server does not know that schemaVersion; see /v1/config.")};
    return validationFailed(m_refused);
}

} // namespace daybook
