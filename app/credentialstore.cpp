#include "app/credentialstore.h"

#include "app/keychain.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

namespace daybook {

namespace {

QByteArray toBytes(const TokenPair &tokens)
{
    const QJsonObject object{{QStringLiteral("accessToken"), tokens.accessToken},
                             {QStringLiteral("refreshToken"), tokens.refreshToken}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

std::optional<TokenPair> fromBytes(const QByteArray &bytes)
{
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    const TokenPair tokens{object.value(QLatin1String("accessToken")).toString(),
                           object.value(QLatin1String("refreshToken")).toString()};
    if (tokens.accessToken.isEmpty() || tokens.refreshToken.isEmpty())
        return std::nullopt;
    return tokens;
}

QString sessionKey(const CredentialPlace &place)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString &part : {place.dataFolder, place.serverOrigin, place.serverAccountId}) {
        hash.addData(part.toUtf8());
        hash.addData(QByteArrayView("\n"));
    }
    return QString::fromLatin1(hash.result().toHex().left(32));
}

} // namespace

std::optional<TokenPair> TokenMemory::tokens() const
{
    const std::lock_guard lock(m_mutex);
    return m_tokens;
}

void TokenMemory::setTokens(std::optional<TokenPair> tokens)
{
    const std::lock_guard lock(m_mutex);
    m_tokens = std::move(tokens);
}

CredentialStore::CredentialStore(CredentialPlace place, QObject *parent)
    : QObject(parent),
      m_place(std::move(place)),
      m_key(sessionKey(m_place)),
      m_filePath(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
                 QStringLiteral("/daybook/sessions/") + m_key + QStringLiteral(".json"))
{
}

void CredentialStore::load(std::function<void(Result<std::optional<TokenPair>>)> done)
{
    // Memory and file hold something only where the keychain took the latest pair no more: an older one in it
    // would be refused, and its use end the session.
    const std::optional<TokenPair> remembered = m_place.memory->tokens();
    const auto kept = remembered ? Result(remembered) : loadFromFile();
    if (!kept || *kept) {
        QMetaObject::invokeMethod(
            this, [kept, done = std::move(done)] { done(kept); }, Qt::QueuedConnection);
        return;
    }
    readFromKeychain(this, m_key, [done = std::move(done)](const KeychainAnswer &answer) {
        done(answer.ok ? fromBytes(answer.secret) : std::nullopt);
    });
}

void CredentialStore::store(const TokenPair &tokens, std::function<void(Result<void>)> done)
{
    writeToKeychain(this, m_key, toBytes(tokens),
                    [this, tokens, done = std::move(done)](const KeychainAnswer &answer) {
                        m_persistent = answer.ok;
                        if (answer.ok) {
                            m_place.memory->setTokens(std::nullopt);
                            QFile::remove(m_filePath);
                            done({});
                        } else if (m_place.fileAllowed || QFileInfo::exists(m_filePath)) {
                            const auto stored = storeInFile(tokens);
                            m_persistent = stored.ok();
                            done(stored);
                        } else {
                            m_place.memory->setTokens(tokens);
                            done({});
                        }
                    });
}

void CredentialStore::clear(std::function<void(Result<void>)> done)
{
    m_place.memory->setTokens(std::nullopt);
    const bool removed = !QFileInfo::exists(m_filePath) || QFile::remove(m_filePath);
    // A keychain that is not there has nothing to forget.
    removeFromKeychain(this, m_key, [this, removed, done = std::move(done)](const KeychainAnswer &) {
        if (removed)
            done({});
        else
            done(Error{ErrorKind::Credentials, QStringLiteral("cannot remove %1").arg(m_filePath)});
    });
}

QString CredentialStore::refreshLockPath() const
{
    const QString folder = QFileInfo(m_filePath).absolutePath();
    QDir().mkpath(folder);
    return folder + QLatin1Char('/') + m_key + QStringLiteral(".lock");
}

Result<std::optional<TokenPair>> CredentialStore::loadFromFile() const
{
    QFile file(m_filePath);
    if (!file.exists())
        return std::optional<TokenPair>();
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorKind::Credentials,
                     QStringLiteral("cannot read %1: %2").arg(m_filePath, file.errorString())};
    return fromBytes(file.readAll());
}

Result<void> CredentialStore::storeInFile(const TokenPair &tokens)
{
    const QString folder = QFileInfo(m_filePath).absolutePath();
    constexpr auto ownerOnly = QFile::ReadOwner | QFile::WriteOwner;
    QSaveFile file(m_filePath);
    const bool written = QDir().mkpath(folder) &&
                         QFile::setPermissions(folder, ownerOnly | QFile::ExeOwner) &&
                         file.open(QIODevice::WriteOnly) && file.setPermissions(ownerOnly) &&
                         file.write(toBytes(tokens)) > 0 && file.commit();
    if (!written)
        return Error{ErrorKind::Credentials,
                     QStringLiteral("cannot keep the session in %1: %2").arg(m_filePath, file.errorString())};
    return {};
}

} // namespace daybook
