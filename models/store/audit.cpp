#include "models/store/audit.h"

#include "models/store/queueaudit.h"
#include "models/store/statement.h"

#include <QScopeGuard>

namespace daybook {

namespace {

/// One question about all rows. Its statement selects the rows that are wrong, as account_id and the id of
/// the subject.
struct Check
{
    int invariant;
    const char *subject; ///< what the id names
    const char *what;
    const char *sql;
};

// Numbers are those of OperationState, OperationType and SyncState, as in the schema: states up to 5 are
// unfinished, 1 is sending, 7 superseded; type 1 is a create; sync state 0 is synced, 7 local only.
constexpr Check checks[] = {
    {1, "entry", "shown as synced, with unfinished operations",
     R"(SELECT account_id, local_id FROM entries e WHERE sync_state = 0 AND EXISTS (
    SELECT 1 FROM offline_operations o
    WHERE o.account_id = e.account_id AND o.local_entity_id = e.local_id AND o.state <= 5))"},
    {1, "entry", "not shown as synced, without an unfinished operation",
     R"(SELECT account_id, local_id FROM entries e JOIN accounts a USING (account_id)
WHERE sync_state <> 0 AND a.server_origin <> '' AND NOT EXISTS (
    SELECT 1 FROM offline_operations o
    WHERE o.account_id = e.account_id AND o.local_entity_id = e.local_id AND o.state <= 5))"},
    {1, "operation", "belongs to the local-only account, which sends nothing",
     R"(SELECT account_id, operation_id FROM offline_operations JOIN accounts USING (account_id)
WHERE server_origin = '')"},

    {2, "entry", "several operations are being sent",
     R"(SELECT account_id, local_entity_id FROM offline_operations WHERE state = 1
GROUP BY account_id, local_entity_id HAVING count(*) > 1)"},
    {2, "operation", "being sent without a lease, or leased without being sent",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE (state = 1) <> (lease_owner IS NOT NULL) OR (state = 1) <> (lease_expires_at IS NOT NULL))"},

    {3, "operation", "of no known state or type",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE state NOT BETWEEN 0 AND 8 OR operation_type NOT BETWEEN 1 AND 3 OR entity_type <> 1)"},
    {3, "operation", "finished without a time, or unfinished with one",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE (state > 5) <> (completed_at IS NOT NULL))"},
    // A superseded one that the server turns out to have becomes done and keeps its successor.
    {3, "operation", "has a successor without being superseded",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE superseded_by IS NOT NULL AND state NOT IN (6, 7))"},
    {3, "operation", "superseded by an earlier one, or by one of another entry",
     R"(SELECT o.account_id, o.operation_id
FROM offline_operations o JOIN offline_operations s ON s.operation_id = o.superseded_by
WHERE s.account_id = o.account_id AND (s.seq <= o.seq OR s.local_entity_id <> o.local_entity_id))"},
    {3, "operation", "its turn (is_head) is not what the order of intents says",
     R"(SELECT account_id, operation_id FROM offline_operations o
WHERE o.state <= 5 AND o.is_head <> NOT EXISTS (
    SELECT 1 FROM offline_operations earlier
    WHERE earlier.account_id = o.account_id AND earlier.local_entity_id = o.local_entity_id
    AND earlier.state <= 5 AND earlier.seq < o.seq))"},

    {4, "operation", "attempted without the time of its first attempt, or the other way round",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE (attempt_count > 0) <> (first_attempt_at IS NOT NULL))"},
    {4, "operation", "its base_version does not fit its type",
     R"(SELECT account_id, operation_id FROM offline_operations
WHERE CASE operation_type WHEN 1 THEN base_version IS NOT NULL
      ELSE base_version IS NULL AND first_attempt_at IS NOT NULL END)"},

    {6, "operation", "an attempt of it belongs to another account",
     R"(SELECT DISTINCT o.account_id, o.operation_id
FROM operation_attempts t JOIN offline_operations o USING (operation_id)
WHERE t.account_id <> o.account_id)"},
    {6, "operation", "attempt_count is not the number of its attempts",
     R"(SELECT account_id, operation_id FROM offline_operations o
WHERE (attempt_count, attempt_count) <> (
    SELECT count(*), coalesce(max(attempt_no), 0) FROM operation_attempts t
    WHERE t.operation_id = o.operation_id))"},
    // Done may be learnt by one sender while another one, which took the lease over, still waits.
    {6, "operation", "an attempt of it is under way, but it is not being sent",
     R"(SELECT DISTINCT o.account_id, o.operation_id
FROM operation_attempts t JOIN offline_operations o USING (operation_id)
WHERE t.finished_at IS NULL AND o.state NOT IN (1, 6))"},
    {6, "operation", "an attempt of it ended without a result, or has one without an end",
     R"(SELECT DISTINCT o.account_id, o.operation_id
FROM operation_attempts t JOIN offline_operations o USING (operation_id)
WHERE (t.finished_at IS NULL) <> (t.result IS NULL))"},

    {7, "entry", "synced, and not shown as the server has it",
     R"(SELECT account_id, local_id FROM entries e JOIN accounts a USING (account_id)
WHERE a.server_origin <> ''
AND (deleted <> 0 OR server_deleted IS NOT 0 OR value IS NOT server_value
     OR recorded_at IS NOT server_recorded_at OR recorded_offset IS NOT server_recorded_offset
     OR category IS NOT server_category OR note IS NOT server_note
     OR sync_error <> '' OR next_attempt_at IS NOT NULL)
AND NOT EXISTS (
    SELECT 1 FROM offline_operations o
    WHERE o.account_id = e.account_id AND o.local_entity_id = e.local_id AND o.state <= 5))"},
    {7, "entry", "of the local-only account, and not shown as such",
     R"(SELECT account_id, local_id FROM entries JOIN accounts USING (account_id)
WHERE server_origin = '' AND (sync_state <> 7 OR deleted <> 0 OR server_id IS NOT NULL
     OR version IS NOT NULL OR sync_error <> '' OR next_attempt_at IS NOT NULL))"},
    {7, "operation", "unfinished, but its entry is gone",
     R"(SELECT account_id, operation_id FROM offline_operations o WHERE state <= 5
AND NOT EXISTS (SELECT 1 FROM entries e
                WHERE e.account_id = o.account_id AND e.local_id = o.local_entity_id)
AND NOT EXISTS (SELECT 1 FROM accounts a CROSS JOIN entries e
                WHERE e.account_id = a.account_id AND e.local_id = o.local_entity_id))"},

    {8, "operation", "its entry belongs to another account",
     R"(SELECT account_id, operation_id FROM offline_operations o WHERE state <= 5
AND NOT EXISTS (SELECT 1 FROM entries e
                WHERE e.account_id = o.account_id AND e.local_id = o.local_entity_id)
AND EXISTS (SELECT 1 FROM accounts a CROSS JOIN entries e
            WHERE e.account_id = a.account_id AND e.local_id = o.local_entity_id))"},
    {8, "operation", "superseded by one of another account",
     R"(SELECT o.account_id, o.operation_id
FROM offline_operations o JOIN offline_operations s ON s.operation_id = o.superseded_by
WHERE s.account_id <> o.account_id)"},
    {8, "entry", "its history belongs to another account",
     R"(SELECT DISTINCT h.account_id, h.local_id FROM entry_history h
WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.account_id = h.account_id AND e.local_id = h.local_id)
AND EXISTS (SELECT 1 FROM accounts a CROSS JOIN entries e
            WHERE e.account_id = a.account_id AND e.local_id = h.local_id))"},

    {9, "account", "a cursor without a server",
     R"(SELECT account_id, NULL FROM accounts WHERE server_origin = '' AND change_cursor <> '')"},
};

Result<void> checkFile(Connection &connection, AuditReport &report)
{
    const auto lines = selectAll(
        connection, QStringLiteral("PRAGMA integrity_check(%1)").arg(maximumFindingsPerInvariant), readText);
    if (!lines)
        return lines.error();
    for (const QString &line : *lines)
        if (line != QLatin1StringView("ok"))
            report.add(0, line);
    const auto readDangling = [](const Statement &row) -> Result<QString> {
        return QStringLiteral("row %1 of %2 refers to nothing in %3")
            .arg(row.text(1), row.text(0), row.text(2));
    };
    const auto dangling = selectAll(connection, QStringLiteral("PRAGMA foreign_key_check"), readDangling);
    if (!dangling)
        return dangling.error();
    for (const QString &line : *dangling)
        report.add(0, line);
    return {};
}

Result<void> countRows(Connection &connection, AuditReport &report)
{
    Statement row(connection, QStringLiteral(R"(SELECT (SELECT count(*) FROM entries),
    (SELECT count(*) FROM offline_operations), (SELECT count(*) FROM operation_attempts))"));
    if (const auto read = row.next(); !read)
        return read.error();
    report.entries = row.number(0);
    report.operations = row.number(1);
    report.attempts = row.number(2);
    return {};
}

Result<void> runCheck(Connection &connection, const Check &check, AuditReport &report)
{
    Statement row(connection, QLatin1StringView(check.sql));
    for (;;) {
        const auto more = row.next();
        if (!more)
            return more.error();
        if (!*more)
            return {};
        // Both kinds of id are UUIDs; which one is said by the subject.
        const QString id = row.isNull(1) ? QString() : QLatin1Char(' ') + row.id<ClientEntryId>(1).toString();
        report.add(check.invariant, QStringLiteral("%1%2 of account %3: %4")
                                        .arg(QLatin1StringView(check.subject), id, row.text(0),
                                             QLatin1StringView(check.what)));
    }
}

} // namespace

void AuditReport::add(int invariant, const QString &detail)
{
    if (++found.at(static_cast<size_t>(invariant)) <= maximumFindingsPerInvariant)
        findings.append({invariant, detail});
}

Result<AuditReport> audit(Connection &connection)
{
    // A deferred transaction is one consistent view of the file and blocks nobody.
    if (const auto begun = change(connection, QStringLiteral("BEGIN")); !begun)
        return begun.error();
    const auto end = qScopeGuard([&connection] { (void)change(connection, QStringLiteral("ROLLBACK")); });
    AuditReport report;
    if (const auto checked = checkFile(connection, report); !checked)
        return checked.error();
    if (!report.clean())
        return report;
    if (const auto counted = countRows(connection, report); !counted)
        return counted.error();
    for (const Check &check : checks)
        if (const auto checked = runCheck(connection, check, report); !checked)
            return checked.error();
    if (const auto checked = auditOperations(connection, report); !checked)
        return checked.error();
    return report;
}

} // namespace daybook
