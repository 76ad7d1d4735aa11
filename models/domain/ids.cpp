#include "models/domain/ids.h"

#include "models/domain/random.h"

#include <QtEndian>

#include <array>

namespace daybook {

namespace {

constexpr qsizetype uuidTextLength = 36;

QUuid randomUuid(Random &random)
{
    std::array<quint64, 2> bits = {random.bits(), random.bits()};
    std::array<uchar, 16> bytes{};
    qToBigEndian(bits[0], bytes.data());
    qToBigEndian(bits[1], bytes.data() + 8);
    bytes[6] = static_cast<uchar>((bytes[6] & 0x0FU) | 0x40U); // version 4
    bytes[8] = static_cast<uchar>((bytes[8] & 0x3FU) | 0x80U); // variant of RFC 9562
    return QUuid::fromRfc4122(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
}

} // namespace

template<typename Tag>
UuidId<Tag> UuidId<Tag>::random(Random &random)
{
    return UuidId(randomUuid(random));
}

template<typename Tag>
std::optional<UuidId<Tag>> UuidId<Tag>::fromString(QStringView text)
{
    if (text.size() != uuidTextLength)
        return std::nullopt;
    const QUuid uuid = QUuid::fromString(text);
    if (uuid.isNull())
        return std::nullopt;
    return UuidId(uuid);
}

template class UuidId<ClientEntryIdTag>;
template class UuidId<OperationIdTag>;

} // namespace daybook
