#pragma once

#include "models/domain/clock.h"

#include <QMetaType>
#include <QString>

#include <optional>
#include <span>

namespace daybook {

struct Operation;

/// What the badge of an entry says. Derived from the entry's unfinished operations; stored beside the entry
/// only so that lists and counts are one query (`verify` checks that the two agree). The numbers are stored:
/// never renumber.
enum class SyncState {
    Synced = 0,         ///< the server has what is shown
    Waiting = 1,        ///< queued, has not left yet or ended without a charge
    Sending = 2,        ///< an attempt is on its way
    AwaitingReply = 3,  ///< sent without a complete answer: the server may have it, waiting for confirmation
    RetryWaiting = 4,   ///< the server answered "not now"; the next try has a time
    NeedsAttention = 5, ///< refused for good, or unreadable here; the person has to act
    Conflict = 6,       ///< somebody else changed it meanwhile; the person has to decide
    LocalOnly = 7,      ///< belongs to no account: on this computer only
};

/// The badge with what its sentence needs.
struct SyncStatus
{
    SyncState state = SyncState::LocalOnly;
    QString errorCode; ///< a code of the protocol or of the client's own; empty where nothing failed
    std::optional<Instant> nextAttemptAt; ///< when a wait ends; empty where nothing waits for a time

    bool operator==(const SyncStatus &) const = default;
};

/// The badge of an entry with these unfinished operations, in the order of intents. \p localOnly: the entry's
/// account is the local-only one. The first operation decides, since the others wait for it.
SyncStatus deriveSyncStatus(std::span<const Operation> unfinished, bool localOnly);

/// The last attempt that tells was sent without a complete answer of the server, which may have the
/// operation.
bool isUnanswered(const Operation &operation);

constexpr bool isUnsynced(SyncState state)
{
    return state != SyncState::Synced && state != SyncState::LocalOnly;
}

} // namespace daybook
