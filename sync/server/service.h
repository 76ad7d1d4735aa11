#pragma once

#include "models/domain/clock.h"
#include "models/domain/result.h"
#include "sync/server/request.h"

#include <chrono>
#include <memory>

namespace daybook {

/// What an operator can set about the service itself (sockets are `http`'s matter).
struct ServiceOptions
{
    QString databasePath; ///< SQLite file, made when missing
    bool registrationOpen = false;
    std::chrono::seconds responseRetention = std::chrono::hours(24 * 30);
    std::chrono::seconds tombstoneRetention = std::chrono::hours(24 * 400);
    std::chrono::seconds accessTokenLifetime = std::chrono::hours(1);
};

/// The sync server without sockets: router, handlers, storage and its threads.
/// **Thread:** handle() from any; replies come from any. **Ends:** the destructor answers all that was
/// accepted first, with 503 where a password would still have to be checked.
class Service
{
public:
    /// Opens or makes the database. \p clock must outlive the service.
    static Result<std::unique_ptr<Service>> open(const ServiceOptions &options, const Clock &clock);
    ~Service();

    /// Answers each request exactly once, after its transaction is durable.
    void handle(ServerRequest request, ReplyHandler done);

    /// For `account add` and `account passwd` on the command line. The password policy is that of the
    /// protocol.
    Result<void> addAccount(const QString &username, const QString &password, const QString &displayName);
    Result<void> changePassword(const QString &username, const QString &newPassword);

    /// Makes /readyz answer 503 from now on: before draining.
    void setNotReady();

private:
    struct Private;
    explicit Service(std::unique_ptr<Private> d);

    std::unique_ptr<Private> d;
};

} // namespace daybook
