#pragma once

#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/operation.h"
#include "models/domain/result.h"

#include <QMap>

namespace daybook {

class Connection;

/// Everything there is to count in the queue of one account, for diagnostics. What was purged is gone from
/// it.
struct QueueMetrics
{
    QMap<OperationState, qint64> operations; ///< only states that occur
    QMap<AttemptResult, qint64> attempts;    ///< by how they ended; those under way are left out
    QMap<QString, qint64> permanentFailures; ///< refused operations by the code of the refusal
    qint64 replays = 0;                      ///< attempts answered with a stored response
    std::optional<Instant> oldestWaitingAt;
};

/// The end of the account's block, if it still holds. One further ahead than any server may ask for comes
/// from a clock that was set back, and counts as over.
std::optional<Instant> blockInEffect(const std::optional<Instant> &blockedUntil, Instant now);
/// Counts along the indexes of unfinished operations only.
Result<QueueSummary> queueSummary(Connection &connection, AccountId account, Instant now);
/// When the next operation may be sent, not looking at the account's own block: now where one is ready,
/// nothing where none has to be sent.
Result<std::optional<Instant>> nextReadyAt(Connection &connection, AccountId account, Instant now);
/// Reads all operations and attempts.
Result<QueueMetrics> queueMetrics(Connection &connection, AccountId account, Instant now);

} // namespace daybook
