#pragma once

#include "models/domain/clock.h"
#include "models/domain/entry.h"
#include "models/domain/ids.h"

#include <QByteArray>

#include <array>
#include <optional>

namespace daybook {

/// What an operation does to its entry. The numbers are stored and part of the fingerprint: never renumber.
enum class OperationType { CreateEntry = 1, UpdateEntry = 2, DeleteEntry = 3 };

/// Where an operation stands. The numbers are stored: never renumber.
enum class OperationState {
    Pending = 0,         ///< ready as soon as its turn comes
    Sending = 1,         ///< leased by a sender
    RetryWaiting = 2,    ///< waits out its time after a temporary or unknown result
    PermanentFailed = 3, ///< refused for good
    Conflict = 4,        ///< the server's state is not what the edit started from
    Quarantined = 5,     ///< its payload version is unknown here; kept as it is
    Done = 6,            ///< the server has it
    Superseded = 7,      ///< one newer operation took over
    Discarded = 8,       ///< given up by the person
};

inline constexpr std::array allOperationStates = {
    OperationState::Pending,      OperationState::Sending,
    OperationState::RetryWaiting, OperationState::PermanentFailed,
    OperationState::Conflict,     OperationState::Quarantined,
    OperationState::Done,         OperationState::Superseded,
    OperationState::Discarded,
};

constexpr bool isUnfinished(OperationState state) { return state <= OperationState::Quarantined; }

/// The state table: whether an operation may go from \p from to \p to. Staying is not a transition.
///
///     pending           -> sending (leased), superseded (merged before it ever left), discarded, quarantined
///     sending           -> sending (lease expired, leased anew), done, retry_waiting, pending,
///     permanent_failed, conflict retry_waiting     -> sending (due), pending (Sync now), superseded,
///     discarded, quarantined, done (receipt) permanent_failed  -> pending (Retry now), superseded, discarded
///     conflict          -> superseded (decided), discarded
///     superseded, discarded -> done (late proof that the server has it)
///     quarantined, done -> nothing
bool mayBecome(OperationState from, OperationState to);

/// The stored and printed name: `pending`, `retry_waiting`, ...
QLatin1StringView name(OperationState state);
/// `CREATE_ENTRY`, ...
QLatin1StringView name(OperationType type);

/// One intent of the user, as the queue keeps it.
struct Operation
{
    OperationId id;
    qint64 sequence = 0; ///< the order of intents; never a clock
    OperationType type = OperationType::CreateEntry;
    ClientEntryId entryId;
    int payloadVersion = 0;
    QByteArray payload;     ///< the request body, sent byte for byte on each attempt; empty for a delete
    QByteArray fingerprint; ///< 32 bytes, SHA-256
    std::optional<qint64>
        baseVersion; ///< If-Match; empty for a create and while an earlier operation is unfinished
    std::optional<EntryFields> base; ///< the values the editor started from; empty for a create
    OperationState state = OperationState::Pending;
    int attemptCount = 0;
    std::optional<Instant> firstAttemptAt;
    std::optional<Instant> waitStartedAt;
    Milliseconds waitLength{};
    QString leaseOwner; ///< empty unless sending
    std::optional<Instant> leaseExpiresAt;
    QString lastErrorCode;
    QString lastErrorDetail;
    std::optional<OperationId> supersededBy;
    Instant createdAt;
    std::optional<Instant> completedAt;

    bool operator==(const Operation &) const = default;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::Operation)
