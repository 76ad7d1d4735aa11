#include "models/store/attemptlog.h"

#include "models/store/statement.h"
#include "models/store/syncjournal.h"

namespace daybook {

namespace {

Result<Attempt> readAttempt(const Statement &row)
{
    Attempt attempt;
    attempt.operationId = row.id<OperationId>(0);
    attempt.number = static_cast<int>(row.number(1));
    attempt.trigger = static_cast<AttemptTrigger>(row.number(2));
    attempt.startedAt = row.instant(3);
    attempt.finishedAt = row.maybeInstant(4);
    if (!row.isNull(5))
        attempt.result = static_cast<AttemptResult>(row.number(5));
    attempt.httpStatus = static_cast<int>(row.number(6));
    attempt.errorCode = row.text(7);
    attempt.replayed = row.flag(8);
    attempt.charged = row.flag(9);
    return attempt;
}

Result<AttemptTraces> readTraces(const Statement &row)
{
    return AttemptTraces{row.flag(0), row.flag(1), static_cast<int>(row.number(2))};
}

} // namespace

Result<void> AttemptLog::open(Transaction &, const OperationId &id, int number, AttemptTrigger trigger,
                              Instant now)
{
    return execute(m_connection,
                   QStringLiteral("INSERT INTO operation_attempts (operation_id, attempt_no, account_id, "
                                  "trigger, started_at) VALUES (?, ?, ?, ?, ?)"),
                   id, number, m_account, trigger, now);
}

Result<void> AttemptLog::close(Transaction &, const OperationId &id, int number, const AttemptEnd &end,
                               Instant now)
{
    return execute(
        m_connection,
        QStringLiteral("UPDATE operation_attempts SET finished_at = ?, result = ?, http_status = ?, "
                       "error_code = ?, replayed = ?, charged = ? "
                       "WHERE operation_id = ? AND attempt_no = ? AND account_id = ? "
                       "AND (result IS NULL OR (result = ? AND ? = ?))"),
        now, end.result, end.httpStatus, end.errorCode, end.replayed, end.charged, id, number, m_account,
        AttemptResult::LeaseExpired, end.result, AttemptResult::Confirmed);
}

Result<QList<Attempt>> AttemptLog::of(const OperationId &id) const
{
    return selectAll(
        m_connection,
        QStringLiteral("SELECT operation_id, attempt_no, trigger, started_at, finished_at, result, "
                       "http_status, error_code, replayed, charged FROM operation_attempts "
                       "WHERE operation_id = ? AND account_id = ? ORDER BY attempt_no"),
        readAttempt, id, m_account);
}

Result<qint64> AttemptLog::charged(const OperationId &id) const
{
    const auto count =
        selectFirst(m_connection,
                    QStringLiteral("SELECT count(*) FROM operation_attempts "
                                   "WHERE operation_id = ? AND account_id = ? AND charged = 1"),
                    readNumber, id, m_account);
    return count ? Result<qint64>(count->value_or(0)) : Result<qint64>(count.error());
}

Result<AttemptTraces> AttemptLog::traces(const OperationId &id) const
{
    // A gateway's 502 or 504 says nothing about the server behind it, and a 500 may come after the commit.
    // A refusal that is not charged is about the account.
    const auto found = selectFirst(
        m_connection,
        QStringLiteral("SELECT max(result IN (?, ?)), max(result IS NULL OR result IN (?, ?, ?, ?, ?) "
                       "OR http_status IN (502, 504)), sum(result = ? AND charged = 1) "
                       "FROM operation_attempts WHERE operation_id = ? AND account_id = ?"),
        readTraces, AttemptResult::Confirmed, AttemptResult::Conflict, AttemptResult::Unknown,
        AttemptResult::Unexpected, AttemptResult::ServerError, AttemptResult::Aborted,
        AttemptResult::LeaseExpired, AttemptResult::Refused, id, m_account);
    return found ? Result<AttemptTraces>(found->value_or(AttemptTraces()))
                 : Result<AttemptTraces>(found.error());
}

} // namespace daybook
