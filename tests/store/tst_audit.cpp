#include "models/store/audit.h"
#include "models/store/connection.h"
#include "models/store/statement.h"
#include "tests/store/storebuilder.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace daybook;

namespace {

QString describe(const AuditReport &report)
{
    QStringList lines;
    for (const Finding &finding : report.findings)
        lines += QStringLiteral("%1: %2").arg(finding.invariant).arg(finding.detail);
    return lines.join(QLatin1Char('\n'));
}

} // namespace

class TestAudit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto connection = Connection::open(m_template.filePath(m_fileName));
        QVERIFY(connection.ok());
        StoreBuilder store(**connection);
        store.run(QStringLiteral("BEGIN"));
        buildAccounts(store);
        buildQueue(store);
        store.run(QStringLiteral("COMMIT"));
    }

    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QFile::copy(m_template.filePath(m_fileName), m_folder->filePath(m_fileName)));
    }

    void cleanStore()
    {
        const auto report = audit(*open());
        QVERIFY(report.ok());
        QVERIFY2(report->clean(), qPrintable(describe(*report)));
        QCOMPARE(report->entries, 12);
        QCOMPARE(report->operations, 12);
        QCOMPARE(report->attempts, 7);
    }

    void brokenStore_data();
    void brokenStore()
    {
        QFETCH(int, invariant);
        QFETCH(QString, statements);
        QFETCH(QString, subject);
        {
            const auto connection = open();
            StoreBuilder store(*connection);
            for (const QString &sql : statements.split(QLatin1Char(';')))
                store.run(sql);
        }
        const auto report = audit(*open());
        QVERIFY2(report.ok(), qPrintable(report ? QString() : report.error().detail));
        QVERIFY(!report->clean());
        for (const Finding &finding : report->findings) {
            QCOMPARE(finding.invariant, invariant);
            QVERIFY2(!finding.detail.contains(QLatin1StringView("secret")), qPrintable(finding.detail));
        }
        if (invariant == 0)
            return; // SQLite's own words, and as many as it likes
        QVERIFY2(report->findings.size() == 1, qPrintable(describe(*report)));
        QVERIFY2(report->findings.first().detail.startsWith(subject), qPrintable(describe(*report)));
    }

    void manyFindingsAreCountedAndCut()
    {
        const auto connection = open();
        StoreBuilder(*connection)
            .run(QStringLiteral(
                R"(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
INSERT INTO entries (account_id, local_id, value, recorded_at, recorded_offset, category, note, deleted,
    sync_state, sync_error) SELECT 1, randomblob(16), i, i, 0, '', '', 0, 0, '' FROM n)"));
        const auto report = audit(*connection);
        QVERIFY(report.ok());
        QCOMPARE(report->found.at(7), 150);
        QCOMPARE(report->findings.size(), maximumFindingsPerInvariant);
    }

    void leavesNoTransactionOpen()
    {
        const auto connection = open();
        QVERIFY(audit(*connection).ok());
        QVERIFY(audit(*connection).ok());
        StoreBuilder(*connection).run(QStringLiteral("BEGIN IMMEDIATE"));
    }

private:
    std::unique_ptr<Connection> open() const
    {
        auto opened = Connection::open(m_folder->filePath(m_fileName));
        return opened ? *std::move(opened) : nullptr;
    }

    const QString m_fileName = QStringLiteral("daybook.sqlite");
    QTemporaryDir m_template;
    std::unique_ptr<QTemporaryDir> m_folder;
};

void TestAudit::brokenStore_data()
{
    QTest::addColumn<int>("invariant");
    QTest::addColumn<QString>("subject");
    QTest::addColumn<QString>("statements");
    const auto row = [](const char *name, int invariant, const QString &subject, const char *sql) {
        QTest::newRow(name) << invariant << subject << QString::fromLatin1(sql);
    };
    const auto operation = [](int seq, int account = 2) {
        return QStringLiteral("operation %1 of account %2: ")
            .arg(idNumber<OperationId>(seq).toString())
            .arg(account);
    };
    const auto entry = [](int id, int account = 2) {
        return QStringLiteral("entry %1 of account %2: ")
            .arg(idNumber<ClientEntryId>(id).toString())
            .arg(account);
    };

    row("an index that misses rows", 0, {},
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'BETWEEN 1 AND 6', "
        "'BETWEEN 0 AND 6') WHERE name = 'entries_not_synced'");
    row("an attempt of nothing", 0, {},
        "PRAGMA foreign_keys = OFF; INSERT INTO operation_attempts (operation_id, attempt_no, account_id, "
        "trigger, started_at) VALUES (x'77', 1, 2, 0, 1)");

    row("synced with a pending operation", 1, entry(12),
        "UPDATE entries SET sync_state = 0 WHERE category = 'waiting'");
    row("waiting with nothing to send", 1, entry(11),
        "UPDATE entries SET sync_state = 1 WHERE category = 'synced'");
    row("an operation of the local-only account", 1, operation(1, 1),
        "UPDATE operation_attempts SET account_id = 1 WHERE operation_id = (SELECT operation_id FROM "
        "offline_operations WHERE seq = 1); UPDATE offline_operations SET account_id = 1 WHERE seq = 1");

    row("two of one entry being sent", 2, entry(13),
        "DROP INDEX operations_sending; UPDATE offline_operations SET state = 1, lease_owner = 'me', "
        "lease_expires_at = 9, attempt_count = 1, first_attempt_at = 1, base_version = 1 WHERE seq = 5; "
        "INSERT INTO operation_attempts (operation_id, attempt_no, account_id, trigger, started_at) "
        "SELECT operation_id, 1, 2, 0, 1 FROM offline_operations WHERE seq = 5");
    row("sending without a lease", 2, operation(4),
        "UPDATE offline_operations SET lease_owner = NULL WHERE seq = 4");
    row("leased without sending", 2, operation(3),
        "UPDATE offline_operations SET lease_expires_at = 9 WHERE seq = 3");

    row("done without a time", 3, operation(1),
        "UPDATE offline_operations SET completed_at = NULL WHERE seq = 1");
    row("pending with a completion", 3, operation(3),
        "UPDATE offline_operations SET completed_at = 2 WHERE seq = 3");
    row("an unknown state", 3, operation(1), "UPDATE offline_operations SET state = 9 WHERE seq = 1");
    row("a successor of another entry", 3, operation(2),
        "UPDATE offline_operations SET superseded_by = (SELECT operation_id FROM offline_operations "
        "WHERE seq = 6) WHERE seq = 2");
    row("its own successor", 3, operation(2),
        "UPDATE offline_operations SET superseded_by = operation_id WHERE seq = 2");
    row("pending with a successor", 3, operation(3),
        "UPDATE offline_operations SET superseded_by = x'77' WHERE seq = 3");
    row("a turn too early", 3, operation(5), "UPDATE offline_operations SET is_head = 1 WHERE seq = 5");
    row("a turn that never comes", 3, operation(3),
        "UPDATE offline_operations SET is_head = 0 WHERE seq = 3");

    row("attempts without a first one", 4, operation(4),
        "UPDATE offline_operations SET first_attempt_at = NULL WHERE seq = 4");
    row("a first attempt without attempts", 4, operation(3),
        "UPDATE offline_operations SET first_attempt_at = 1 WHERE seq = 3");
    row("a create that starts from a version", 4, operation(3),
        "UPDATE offline_operations SET base_version = 1 WHERE seq = 3");
    row("an update sent without a version", 4, operation(8),
        "UPDATE offline_operations SET base_version = NULL WHERE seq = 8");
    row("a payload of another entry", 4, operation(3),
        "UPDATE offline_operations SET (payload_json, payload_fingerprint) = (SELECT payload_json, "
        "payload_fingerprint FROM offline_operations WHERE seq = 6) WHERE seq = 3");

    row("another fingerprint, done", 5, operation(1),
        "UPDATE offline_operations SET payload_fingerprint = zeroblob(32) WHERE seq = 1");
    row("another fingerprint, a delete", 5, operation(9),
        "UPDATE offline_operations SET payload_fingerprint = zeroblob(32) WHERE seq = 9");
    row("another payload", 5, operation(1),
        "UPDATE offline_operations SET payload_json = CAST(replace(CAST(payload_json AS TEXT), "
        "'secret note', 'other note') AS BLOB) WHERE seq = 1");
    row("an unreadable payload", 5, operation(3),
        "UPDATE offline_operations SET payload_json = CAST('{' AS BLOB) WHERE seq = 3");

    row("an attempt of another account", 6, operation(4),
        "UPDATE operation_attempts SET account_id = 3 WHERE attempt_no = 2");
    row("an attempt uncounted", 6, operation(4),
        "UPDATE offline_operations SET attempt_count = 1 WHERE seq = 4");
    row("an attempt lost", 6, operation(4),
        "DELETE FROM operation_attempts WHERE attempt_no = 1 AND operation_id = (SELECT operation_id FROM "
        "offline_operations WHERE seq = 4)");
    row("an attempt under way forever", 6, operation(7),
        "UPDATE operation_attempts SET finished_at = NULL, result = NULL WHERE operation_id = "
        "(SELECT operation_id FROM offline_operations WHERE seq = 7)");
    row("an attempt without a result", 6, operation(7),
        "UPDATE operation_attempts SET result = NULL WHERE operation_id = "
        "(SELECT operation_id FROM offline_operations WHERE seq = 7)");

    row("synced, another value shown", 7, entry(11),
        "UPDATE entries SET value = value + 1 WHERE category = 'synced'");
    row("synced, unknown to the server", 7, entry(11),
        "UPDATE entries SET server_value = NULL WHERE category = 'synced'");
    row("synced, gone on the server", 7, entry(11),
        "UPDATE entries SET server_deleted = 1 WHERE category = 'synced'");
    row("synced, hidden", 7, entry(11), "UPDATE entries SET deleted = 1 WHERE category = 'synced'");
    row("synced, with an error", 7, entry(11),
        "UPDATE entries SET sync_error = 'FORBIDDEN' WHERE category = 'synced'");
    row("waiting, another value shown", 7, entry(12),
        "UPDATE entries SET value = value + 1 WHERE category = 'waiting'");
    row("waiting, another offset shown", 7, entry(12),
        "UPDATE entries SET recorded_offset = 0 WHERE category = 'waiting'");
    row("conflict, the server's value shown", 7, entry(16),
        "UPDATE entries SET value = server_value WHERE category = 'conflict'");
    row("waiting, hidden", 7, entry(12), "UPDATE entries SET deleted = 1 WHERE category = 'waiting'");
    row("deleted, still shown", 7, entry(17), "UPDATE entries SET deleted = 0 WHERE category = 'deleted'");
    row("another badge", 7, entry(16), "UPDATE entries SET sync_state = 5 WHERE category = 'conflict'");
    row("another reason", 7, entry(14), "UPDATE entries SET sync_error = '' WHERE category = 'retry'");
    row("another end of the wait", 7, entry(14),
        "UPDATE entries SET next_attempt_at = 16 WHERE category = 'retry'");
    row("local only, shown as synced", 7, entry(1, 1),
        "UPDATE entries SET sync_state = 0 WHERE category = 'local'");
    row("an entry that vanished", 7, operation(3), "DELETE FROM entries WHERE category = 'waiting'");

    row("an operation of another account's entry", 8, operation(9, 3),
        "UPDATE offline_operations SET account_id = 3 WHERE seq = 9; "
        "UPDATE entries SET deleted = 0, sync_state = 0 WHERE category = 'deleted'");
    row("superseded by another account", 8, operation(2),
        "UPDATE offline_operations SET superseded_by = (SELECT operation_id FROM offline_operations "
        "WHERE seq = 12) WHERE seq = 2");
    row("history in another account", 8, entry(11, 3), "UPDATE entry_history SET account_id = 3");

    row("a cursor without a server", 9, QStringLiteral("account of account 1: "),
        "UPDATE accounts SET change_cursor = 'c' WHERE account_id = 1");
}

QTEST_GUILESS_MAIN(TestAudit)
#include "tst_audit.moc"
