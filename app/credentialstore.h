#pragma once

#include "sync/client/credentials.h"

#include <QObject>

#include <memory>
#include <mutex>

namespace daybook {

/// Tokens that are kept nowhere but in this process; shared by the threads of the program. **Thread:** any.
class TokenMemory
{
public:
    std::optional<TokenPair> tokens() const;
    void setTokens(std::optional<TokenPair> tokens);

private:
    mutable std::mutex m_mutex;
    std::optional<TokenPair> m_tokens;
};

/// Which session is meant and where it may be kept.
struct CredentialPlace
{
    QString dataFolder; ///< two data folders of one account have two sessions
    QString serverOrigin;
    QString serverAccountId;
    bool fileAllowed = false; ///< the person agreed to a file where there is no keychain
    std::shared_ptr<TokenMemory> memory = std::make_shared<TokenMemory>();
};

/// Keeps the session of one account: in the system's keychain; where there is none, in a 0600 file outside
/// the data folder if the person agreed (or had agreed: the file is there); else in memory only.
/// **Thread:** the one that made it, with an event loop.
class CredentialStore final : public QObject, public TokenStore
{
    Q_OBJECT

public:
    explicit CredentialStore(CredentialPlace place, QObject *parent = nullptr);

    void load(std::function<void(Result<std::optional<TokenPair>>)> done) override;
    void store(const TokenPair &tokens, std::function<void(Result<void>)> done) override;
    void clear(std::function<void(Result<void>)> done) override;
    QString refreshLockPath() const override;

    /// Whether what was stored last outlives this process.
    bool isPersistent() const { return m_persistent; }

private:
    Result<std::optional<TokenPair>> loadFromFile() const;
    Result<void> storeInFile(const TokenPair &tokens);

    CredentialPlace m_place;
    QString m_key;
    QString m_filePath;
    bool m_persistent = false;
};

} // namespace daybook
