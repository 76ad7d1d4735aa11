#include "models/store/queuemetrics.h"

#include "models/store/statement.h"
#include "models/store/syncjournal.h"

#include <algorithm>

namespace daybook {

namespace {

/// 24 hours, the most a server's Retry-After counts, plus a tenth of jitter.
constexpr Milliseconds longestBlock = std::chrono::hours(24) + std::chrono::minutes(144);

/// The earlier of two, where an empty one is never.
std::optional<Instant> earlier(const std::optional<Instant> &a, const std::optional<Instant> &b)
{
    return a && b ? std::min(a, b) : (a ? a : b);
}

/// What waits and what is on its way, as far as times go.
struct Waits
{
    bool ready = false;
    std::optional<Instant> firstEnd;      ///< of a wait
    std::optional<Instant> firstLeaseEnd; ///< of a lease
};

Result<Waits> readWaits(const Statement &row)
{
    return Waits{row.flag(0), row.maybeInstant(1), row.maybeInstant(2)};
}

Result<Waits> waits(Connection &connection, AccountId account, Instant now)
{
    const auto found =
        selectFirst(connection,
                    QStringLiteral("SELECT EXISTS (SELECT 1 FROM offline_operations "
                                   "WHERE account_id = @account AND state = 0 AND is_head = 1) "
                                   "OR EXISTS (SELECT 1 FROM offline_operations "
                                   "WHERE account_id = @account AND state = 2 AND wait_started_at > @now) "
                                   "OR EXISTS (SELECT 1 FROM offline_operations "
                                   "WHERE account_id = @account AND state = 1 "
                                   "AND lease_expires_at > @farthest), "
                                   "(SELECT min(wait_started_at + wait_length) FROM offline_operations "
                                   "WHERE account_id = @account AND state = 2), "
                                   "(SELECT min(lease_expires_at) FROM offline_operations "
                                   "WHERE account_id = @account AND state = 1)"),
                    readWaits, account, now, now + leaseLength);
    if (!found)
        return found.error();
    Waits result = found->value_or(Waits());
    result.ready = result.ready || (result.firstEnd && *result.firstEnd <= now);
    return result;
}

Result<QueueSummary> readSummary(const Statement &row)
{
    QueueSummary summary;
    summary.pending = row.number(0);
    summary.sending = row.number(1);
    summary.retryWaiting = row.number(2);
    summary.permanentFailed = row.number(3);
    summary.conflict = row.number(4);
    summary.quarantined = row.number(5);
    for (int column = 6; column <= 9; ++column)
        summary.oldestWaitingAt = earlier(summary.oldestWaitingAt, row.maybeInstant(column));
    summary.lastConfirmedAt = row.maybeInstant(10);
    summary.blockedUntil = row.maybeInstant(11);
    return summary;
}

/// A number and how often it occurs.
template<typename Key, typename Read>
Result<QMap<Key, qint64>> countBy(Connection &connection, const QString &sql, AccountId account,
                                  const Read &readKey)
{
    const auto rows = selectAll(
        connection, sql,
        [&readKey](const Statement &row) {
            return Result<std::pair<Key, qint64>>(std::pair(readKey(row), row.number(1)));
        },
        account);
    if (!rows)
        return rows.error();
    QMap<Key, qint64> counts;
    for (const auto &[key, count] : *rows)
        counts.insert(key, count);
    return counts;
}

} // namespace

std::optional<Instant> blockInEffect(const std::optional<Instant> &blockedUntil, Instant now)
{
    const bool holds = blockedUntil && *blockedUntil > now && *blockedUntil <= now + longestBlock;
    return holds ? blockedUntil : std::nullopt;
}

Result<QueueSummary> queueSummary(Connection &connection, AccountId account, Instant now)
{
    const auto found = selectFirst(
        connection,
        QStringLiteral(
            "SELECT (SELECT count(*) FROM offline_operations WHERE account_id = @account AND state = 0), "
            "(SELECT count(*) FROM offline_operations WHERE account_id = @account AND state = 1), "
            "(SELECT count(*) FROM offline_operations WHERE account_id = @account AND state = 2), "
            "refused, contested, quarantined, "
            // The oldest is the first in sequence of each kind.
            "(SELECT created_at FROM offline_operations WHERE account_id = @account AND state = 0 "
            "AND is_head = 1 ORDER BY seq LIMIT 1), "
            "(SELECT created_at FROM offline_operations WHERE account_id = @account AND state = 0 "
            "AND is_head = 0 ORDER BY seq LIMIT 1), "
            "(SELECT min(created_at) FROM offline_operations WHERE account_id = @account AND state = 1), "
            "(SELECT min(created_at) FROM offline_operations WHERE account_id = @account AND state = 2), "
            "(SELECT max(completed_at) FROM offline_operations WHERE account_id = @account AND state = 6 "
            "AND completed_at IS NOT NULL), "
            "(SELECT blocked_until FROM accounts WHERE account_id = @account) "
            "FROM (SELECT count(*) FILTER (WHERE state = 3) AS refused, "
            "count(*) FILTER (WHERE state = 4) AS contested, "
            "count(*) FILTER (WHERE state = 5) AS quarantined "
            "FROM offline_operations WHERE account_id = @account AND state BETWEEN 3 AND 5)"),
        readSummary, account);
    if (!found)
        return found.error();
    QueueSummary summary = found->value_or(QueueSummary());
    summary.blockedUntil = blockInEffect(summary.blockedUntil, now);
    const auto times = waits(connection, account, now);
    if (!times)
        return times.error();
    if (!times->ready)
        summary.nextAttemptAt = times->firstEnd;
    return summary;
}

Result<std::optional<Instant>> nextReadyAt(Connection &connection, AccountId account, Instant now)
{
    const auto times = waits(connection, account, now);
    if (!times)
        return times.error();
    if (times->ready)
        return std::optional(now);
    return earlier(times->firstEnd, times->firstLeaseEnd);
}

Result<QueueMetrics> queueMetrics(Connection &connection, AccountId account, Instant now)
{
    const auto summary = queueSummary(connection, account, now);
    if (!summary)
        return summary.error();
    const auto operations = countBy<OperationState>(
        connection,
        QStringLiteral("SELECT state, count(*) FROM offline_operations WHERE account_id = ? GROUP BY state"),
        account, [](const Statement &row) { return static_cast<OperationState>(row.number(0)); });
    if (!operations)
        return operations.error();
    const auto attempts = countBy<AttemptResult>(
        connection,
        QStringLiteral("SELECT result, count(*) FROM operation_attempts "
                       "WHERE account_id = ? AND result IS NOT NULL GROUP BY result"),
        account, [](const Statement &row) { return static_cast<AttemptResult>(row.number(0)); });
    if (!attempts)
        return attempts.error();
    const auto failures = countBy<QString>(
        connection,
        QStringLiteral("SELECT last_error_code, count(*) FROM offline_operations WHERE account_id = ? "
                       "AND state BETWEEN 3 AND 5 AND state = 3 GROUP BY last_error_code"),
        account, [](const Statement &row) { return row.text(0); });
    if (!failures)
        return failures.error();
    const auto replays = selectFirst(
        connection,
        QStringLiteral("SELECT count(*) FROM operation_attempts WHERE account_id = ? AND replayed = 1"),
        readNumber, account);
    if (!replays)
        return replays.error();
    return QueueMetrics{*operations, *attempts, *failures, replays->value_or(0), summary->oldestWaitingAt};
}

} // namespace daybook
