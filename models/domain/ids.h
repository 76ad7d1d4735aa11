#pragma once

#include <QHashFunctions>
#include <QMetaType>
#include <QString>
#include <QUuid>

#include <compare>
#include <optional>

namespace daybook {

class Random;

/// A UUID that cannot be mistaken for a UUID of another kind. Its text form is the lower-case one without
/// braces.
template<typename Tag>
class UuidId
{
public:
    UuidId() = default;
    explicit UuidId(const QUuid &uuid) : m_uuid(uuid) {}

    /// A new UUIDv4 (RFC 9562).
    static UuidId random(Random &random);
    /// The canonical 36 characters in either case; anything else (braces, nil, other lengths) is refused.
    static std::optional<UuidId> fromString(QStringView text);

    bool isNull() const { return m_uuid.isNull(); }
    const QUuid &uuid() const { return m_uuid; }
    QString toString() const { return m_uuid.toString(QUuid::WithoutBraces); }

    bool operator==(const UuidId &other) const { return m_uuid == other.m_uuid; }
    bool operator!=(const UuidId &other) const { return m_uuid != other.m_uuid; }
    /// The order of the text form, which is also the order the store sorts by.
    bool operator<(const UuidId &other) const { return m_uuid.toRfc4122() < other.m_uuid.toRfc4122(); }

private:
    QUuid m_uuid;
};

template<typename Tag>
size_t qHash(const UuidId<Tag> &id, size_t seed = 0)
{
    return qHash(id.uuid(), seed);
}

/// An entry's identity everywhere; made by the client (`clientEntryId`).
using ClientEntryId = UuidId<struct ClientEntryIdTag>;
/// One intent of the user; sent as the Idempotency-Key of each attempt.
using OperationId = UuidId<struct OperationIdTag>;

/// The key of an account in one local store. It means nothing elsewhere.
class AccountId
{
public:
    AccountId() = default;
    constexpr explicit AccountId(qint64 key) : m_key(key) {}
    constexpr qint64 key() const { return m_key; }
    constexpr auto operator<=>(const AccountId &) const = default;

private:
    qint64 m_key = 0;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::ClientEntryId)
Q_DECLARE_METATYPE(daybook::OperationId)
