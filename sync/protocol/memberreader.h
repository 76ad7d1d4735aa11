#pragma once

#include "models/domain/ids.h"
#include "models/domain/recordedat.h"
#include "sync/protocol/jsonreader.h"

#include <limits>
#include <optional>
#include <utility>

namespace daybook {

constexpr int anyLength = std::numeric_limits<int>::max();
constexpr qint64 anyInteger = std::numeric_limits<qint64>::max();

/// Reads the members of one JSON object by their names and notes each that is not acceptable; what could not
/// be read is a default value. It keeps a reference: the value must outlive it.
class MemberReader
{
public:
    /// What is no object is noted with the pointer "" and nothing else.
    explicit MemberReader(const JsonValue &value);

    QString text(QLatin1StringView name, int maximumCodePoints = anyLength);
    /// Held to a rule of its own.
    QString text(QLatin1StringView name, Result<void> (*rule)(const QString &));
    /// Absent and null are "".
    QString optionalText(QLatin1StringView name, int maximumCodePoints = anyLength);
    DecimalValue decimal(QLatin1StringView name);
    RecordedAt time(QLatin1StringView name);
    bool flag(QLatin1StringView name);
    /// A whole number in any spelling (`3`, `3.0`).
    qint64 integer(QLatin1StringView name, qint64 minimum = 0, qint64 maximum = anyInteger);
    ClientEntryId entryId(QLatin1StringView name);
    /// An object, to be read with a reader of its own. Null where there is none.
    const JsonValue *object(QLatin1StringView name);
    /// Whole numbers from 0.
    QList<int> integers(QLatin1StringView name);
    QStringList texts(QLatin1StringView name);
    /// Empty where there is none.
    const JsonArray &array(QLatin1StringView name);
    /// Present and not null.
    bool has(QLatin1StringView name) const;

    /// Payloads of another version are not judged member by member: see problem().
    void schemaVersion(int supported);
    void refuse(QLatin1StringView name, const QString &detail);
    /// Notes every member that was not asked for.
    void refuseOthers();

    bool ok() const { return m_refused.isEmpty() && !m_otherSchema; }
    /// VALIDATION_FAILED with all that was noted, or SCHEMA_VERSION_UNSUPPORTED.
    Problem problem() const;

private:
    const JsonValue *find(QLatin1StringView name) const;
    template<typename T>
    const T *required(QLatin1StringView name, QLatin1StringView kind);
    void note(const QString &pointer, const QString &detail);

    const JsonObject *m_members; ///< null where the value is no object
    QList<QLatin1StringView> m_asked;
    QList<ProblemMember> m_refused;
    bool m_otherSchema = false;
};

/// A request's body: everything that \p read notes is refused, and so is every member it did not ask for.
template<typename Read>
auto decodeRequest(const QByteArray &body, Read read)
    -> Decoded<decltype(read(std::declval<MemberReader &>()))>
{
    const Decoded<JsonValue> json = readJson(body);
    if (const auto *problem = std::get_if<Problem>(&json))
        return *problem;
    MemberReader members(*std::get_if<JsonValue>(&json));
    auto message = read(members);
    members.refuseOthers();
    if (!members.ok())
        return members.problem();
    return message;
}

/// A reply's body: as strict as a request's, but members of a newer server are passed over.
template<typename Read>
auto decodeReply(const QByteArray &body, Read read)
    -> std::optional<decltype(read(std::declval<MemberReader &>()))>
{
    const Decoded<JsonValue> json = readJson(body);
    const auto *value = std::get_if<JsonValue>(&json);
    if (!value)
        return std::nullopt;
    MemberReader members(*value);
    auto message = read(members);
    if (!members.ok())
        return std::nullopt;
    return message;
}

} // namespace daybook
