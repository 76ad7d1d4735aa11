#pragma once

#include "models/domain/clock.h"
#include "sync/protocol/messages.h"
#include "sync/server/request.h"
#include "sync/server/storage.h"

namespace daybook {

/// Sign-up, sign-in and password changes. **Thread:** any but those of the storage, which it waits for; each
/// call takes as long as Argon2id wants, and as long for an unknown name as for a wrong password.
class Accounts
{
public:
    Accounts(Storage &storage, const Clock &clock, std::chrono::seconds accessTokenLifetime);

    /// 201 the account, 200 if it exists with this very password, else 409.
    ServerReply signUp(const SignUpRequest &request);
    /// 201 a new session, or 401.
    ServerReply signIn(const SignInRequest &request);
    /// For an operator: no old password is asked for; all sessions of the account end.
    Result<void> changePassword(const QString &username, const QString &newPassword);

private:
    struct Known
    {
        qint64 actorId = 0;
        AccountResource account;
        QByteArray passwordHash;
    };

    Storage::Outcome find(const QString &username, std::optional<Known> &known);
    ServerReply add(const SignUpRequest &request);

    Storage &m_storage;
    const Clock &m_clock;
    const std::chrono::seconds m_accessTokenLifetime;
};

/// The reply where the storage did not do what was asked of it.
ServerReply notDone(Storage::Outcome outcome);

} // namespace daybook
