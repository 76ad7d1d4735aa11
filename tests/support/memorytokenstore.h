#pragma once

#include "sync/client/credentials.h"

#include <memory>
#include <utility>

namespace daybook {

/// Tokens in memory, shared by all stores made for the same place. Answers at once.
class MemoryTokenStore final : public TokenStore
{
public:
    struct Place
    {
        std::optional<TokenPair> tokens;
        int stored = 0; ///< how often a pair was put there
        QString lockPath;
        std::optional<Error> error; ///< what every call ends with
    };

    explicit MemoryTokenStore(std::shared_ptr<Place> place) : m_place(std::move(place)) {}

    void load(std::function<void(Result<std::optional<TokenPair>>)> done) override
    {
        if (m_place->error)
            return done(*m_place->error);
        done(m_place->tokens);
    }
    void store(const TokenPair &tokens, std::function<void(Result<void>)> done) override
    {
        if (m_place->error)
            return done(*m_place->error);
        m_place->tokens = tokens;
        ++m_place->stored;
        done({});
    }
    void clear(std::function<void(Result<void>)> done) override
    {
        m_place->tokens.reset();
        done({});
    }
    QString refreshLockPath() const override { return m_place->lockPath; }

private:
    std::shared_ptr<Place> m_place;
};

} // namespace daybook
