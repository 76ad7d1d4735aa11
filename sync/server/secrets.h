#pragma once

#include <QByteArray>
#include <QString>

namespace daybook {

/// Must have succeeded once before anything else here.
bool startCryptography();

/// Argon2id with a random salt, in libsodium's text form; empty when there is no memory for it. Takes about a
/// tenth of a second and 64 MiB: not on a thread that others wait for.
QByteArray hashPassword(const QString &password);
/// Takes as long as hashPassword().
bool isPassword(const QString &password, const QByteArray &hash);

/// 256 random bits as base64url.
QString newToken();
/// What is stored of a token. A plain hash is enough for 256 random bits.
QByteArray tokenHash(const QString &token);

/// What may stand in a log for a key or an id.
QByteArray shortHash(const QByteArray &key);

} // namespace daybook
