#include "sync/protocol/fingerprint.h"

#include <QCryptographicHash>
#include <QtEndian>

namespace daybook {

namespace {

template<typename Integer>
void appendBigEndian(QByteArray &bytes, Integer value)
{
    const Integer bigEndian = qToBigEndian(value);
    bytes.append(reinterpret_cast<const char *>(&bigEndian), sizeof bigEndian);
}

void appendText(QByteArray &bytes, const QString &text)
{
    const QByteArray utf8 = text.toUtf8();
    appendBigEndian(bytes, static_cast<quint32>(utf8.size()));
    bytes += utf8;
}

} // namespace

QByteArray canonicalForm(OperationType type, const ClientEntryId &entryId, const EntryFields *fields)
{
    QByteArray bytes = QByteArrayLiteral("daybook-fingerprint");
    appendBigEndian(bytes, static_cast<quint8>(fingerprintVersion));
    appendBigEndian(bytes, static_cast<quint8>(type));
    bytes += entryId.uuid().toRfc4122();
    if (type == OperationType::DeleteEntry)
        return bytes;
    Q_ASSERT(fields);
    appendBigEndian(bytes, fields->value.thousandths());
    appendBigEndian(bytes, toEpochMilliseconds(fields->recordedAt.instant));
    appendText(bytes, fields->category);
    appendText(bytes, fields->note);
    return bytes;
}

QByteArray fingerprint(OperationType type, const ClientEntryId &entryId, const EntryFields *fields)
{
    return QCryptographicHash::hash(canonicalForm(type, entryId, fields), QCryptographicHash::Sha256);
}

} // namespace daybook
