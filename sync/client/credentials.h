#pragma once

#include "models/domain/result.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace daybook {

/// The two tokens of a session. Never logged, never in the queue, never on a command line.
struct TokenPair
{
    QString accessToken;
    QString refreshToken;

    bool operator==(const TokenPair &) const = default;
};

/// Seam: where the tokens of one account are kept. Answers may come later (a keychain asks the person); they
/// come in the thread that asked, which must run an event loop.
class TokenStore
{
public:
    virtual ~TokenStore() = default;
    virtual void load(std::function<void(Result<std::optional<TokenPair>>)> done) = 0;
    virtual void store(const TokenPair &tokens, std::function<void(Result<void>)> done) = 0;
    virtual void clear(std::function<void(Result<void>)> done) = 0;
    /// Path of the lock file that two refreshing processes share; empty where nobody else can see these
    /// tokens.
    virtual QString refreshLockPath() const = 0;
};

using TokenStoreFactory = std::function<std::unique_ptr<TokenStore>()>;

} // namespace daybook
