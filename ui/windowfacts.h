#pragma once

#include "models/domain/account.h"

#include <QString>

#include <optional>

namespace daybook {

/// What the status bar states, each a fact of its own. Filled by `app`, put into words by the window.
struct WindowFacts
{
    enum class Connection {
        Unknown,
        Online,
        Offline, ///< no connection gets out
        ServerNotResponding,
        SignInAgain,
        Paused,
        WorkingOffline,
        NoAccount, ///< local-only: nothing to connect to
    };

    Account account;
    Connection connection = Connection::Unknown;
    bool busy = false;
    QueueSummary queue;
    std::optional<Instant> lastSyncedAt;
    std::optional<Instant> nextAttemptAt;
    QString problem; ///< code of what went wrong last; empty after a success
    bool faultsActive = false;

    bool operator==(const WindowFacts &) const = default;
};

} // namespace daybook
