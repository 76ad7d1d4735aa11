#pragma once

#include "models/domain/clock.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace daybook {

/// What the service is doing, as separate facts for the status bar and the CLI.
struct SyncFacts
{
    enum class Connection {
        Unknown,       ///< nothing was tried yet
        Online,        ///< the last exchange was answered by the server
        NotReachable,  ///< nothing gets out: no connection
        NotResponding, ///< something is there, but no answer of a Daybook server comes
        SignInNeeded,  ///< the session ended; the queue stays as it is
        Paused,        ///< the server named another account, or the local store failed
        WorkingOffline ///< the person said so
    };

    Connection connection = Connection::Unknown;
    bool busy = false; ///< requests are under way
    std::optional<Instant>
        lastSyncedAt; ///< when the queue was last found empty after an answer of the server
    std::optional<Instant> nextAttemptAt;
    QString lastErrorCode; ///< of the last exchange; empty after a success
    QString lastErrorDetail;

    bool operator==(const SyncFacts &) const = default;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::SyncFacts)
