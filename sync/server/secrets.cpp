#include "sync/server/secrets.h"

#include <QCryptographicHash>

#include <sodium.h>

#include <array>

namespace daybook {
namespace {

/// One text for all the ways a keyboard may compose it (RFC 8265, OpaqueString).
QByteArray passwordBytes(const QString &password)
{
    return password.normalized(QString::NormalizationForm_C).toUtf8();
}

} // namespace

bool startCryptography() { return sodium_init() >= 0; }

QByteArray hashPassword(const QString &password)
{
    const QByteArray bytes = passwordBytes(password);
    std::array<char, crypto_pwhash_STRBYTES> hash{};
    const int failed =
        crypto_pwhash_str(hash.data(), bytes.constData(), static_cast<unsigned long long>(bytes.size()),
                          crypto_pwhash_OPSLIMIT_INTERACTIVE, crypto_pwhash_MEMLIMIT_INTERACTIVE);
    return failed != 0 ? QByteArray() : QByteArray(hash.data());
}

bool isPassword(const QString &password, const QByteArray &hash)
{
    const QByteArray bytes = passwordBytes(password);
    return crypto_pwhash_str_verify(hash.constData(), bytes.constData(),
                                    static_cast<unsigned long long>(bytes.size())) == 0;
}

QString newToken()
{
    QByteArray bits(32, Qt::Uninitialized);
    randombytes_buf(bits.data(), static_cast<std::size_t>(bits.size()));
    return QString::fromLatin1(bits.toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals));
}

QByteArray tokenHash(const QString &token)
{
    return QCryptographicHash::hash(token.toUtf8(), QCryptographicHash::Sha256);
}

QByteArray shortHash(const QByteArray &key)
{
    return QCryptographicHash::hash(key, QCryptographicHash::Sha256).toHex().left(8);
}

} // namespace daybook
