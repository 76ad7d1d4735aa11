#include "app/credentialstore.h"

#include "models/domain/logging.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QStandardPaths>

#include <qt6keychain/keychain.h>

namespace daybook {

namespace {

const QString keychainService = QStringLiteral("daybook");

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
    auto *job = new QKeychain::ReadPasswordJob(keychainService, this);
    job->setKey(m_key);
    connect(job, &QKeychain::Job::finished, this, [this, job, done = std::move(done)] {
        if (job->error() == QKeychain::NoError) {
            if (auto tokens = fromBytes(job->binaryData())) {
                done(tokens);
                return;
            }
        }
        if (auto tokens = m_place.memory->tokens())
            done(tokens);
        else
            done(loadFromFile());
    });
    job->start();
}

void CredentialStore::store(const TokenPair &tokens, std::function<void(Result<void>)> done)
{
    auto *job = new QKeychain::WritePasswordJob(keychainService, this);
    job->setKey(m_key);
    job->setBinaryData(toBytes(tokens));
    connect(job, &QKeychain::Job::finished, this, [this, job, tokens, done = std::move(done)] {
        m_persistent = job->error() == QKeychain::NoError;
        if (m_persistent) {
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
    job->start();
}

void CredentialStore::clear(std::function<void(Result<void>)> done)
{
    m_place.memory->setTokens(std::nullopt);
    const bool removed = !QFileInfo::exists(m_filePath) || QFile::remove(m_filePath);
    auto *job = new QKeychain::DeletePasswordJob(keychainService, this);
    job->setKey(m_key);
    connect(job, &QKeychain::Job::finished, this, [this, removed, done = std::move(done)] {
        if (removed)
            done({}); // a keychain that is not there has nothing to forget
        else
            done(Error{ErrorKind::Credentials, QStringLiteral("cannot remove %1").arg(m_filePath)});
    });
    job->start();
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
