#include "tests/store/storeworld.h"

#include "models/store/attemptlog.h"
#include "models/store/entryrepository.h"
#include "models/store/operationqueue.h"
#include "models/store/payload.h"
#include "models/store/queuemetrics.h"

using namespace daybook;

class TestOperationQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_world = std::make_unique<StoreWorld>();
        m_queue = std::make_unique<OperationQueue>(*m_world->connection, m_world->account.id);
    }

    void transitionNamesWhatItComesFrom_data();
    void transitionNamesWhatItComesFrom();
    void supersedesAndDiscardsOnlyWhatTheTableAllows_data();
    void supersedesAndDiscardsOnlyWhatTheTableAllows();
    void supersedesOnlyWhatNeverLeft();
    void headIsTheFirstUnfinished();
    void baseVersionIsSetOnce();
    void readyIsInTheOrderOfIntents();
    void nothingWalksOverAllRows();
    void summaryAndMetricsCount();

private:
    StoreWorld &w() { return *m_world; }
    Transaction begin() { return must(Transaction::begin(*w().connection)); }
    void setState(const OperationId &id, OperationState state)
    {
        must(execute(*w().connection,
                     QStringLiteral("UPDATE offline_operations SET state = ? WHERE operation_id = ?"), state,
                     id));
    }

    std::unique_ptr<StoreWorld> m_world;
    std::unique_ptr<OperationQueue> m_queue;
};

void TestOperationQueue::transitionNamesWhatItComesFrom_data()
{
    QTest::addColumn<QString>("differs");
    QTest::addColumn<bool>("moves");
    QTest::newRow("nothing differs") << "" << true;
    QTest::newRow("state") << "state = 2" << false;
    QTest::newRow("attempt") << "attempt_count = 5" << false;
    QTest::newRow("owner") << "lease_owner = 'other'" << false;
    QTest::newRow("no owner") << "lease_owner = NULL" << false;
}
void TestOperationQueue::transitionNamesWhatItComesFrom()
{
    QFETCH(QString, differs);
    QFETCH(bool, moves);
    w().add(1);
    const Operation leased = w().lease().operation;
    if (!differs.isEmpty())
        must(execute(*w().connection, QStringLiteral("UPDATE offline_operations SET ") + differs));
    const Operation before = must(m_queue->find(leased.id)).value();
    auto transaction = begin();
    QCOMPARE(must(m_queue->transition(transaction, leased, ended(leased, OperationState::Done))), moves);
    const Operation after = must(m_queue->find(leased.id)).value();
    QCOMPARE(after, moves ? ended(leased, OperationState::Done) : before);
}

void TestOperationQueue::supersedesAndDiscardsOnlyWhatTheTableAllows_data()
{
    QTest::addColumn<OperationState>("from");
    for (const OperationState state : allOperationStates)
        QTest::newRow(name(state).data()) << state;
}
void TestOperationQueue::supersedesAndDiscardsOnlyWhatTheTableAllows()
{
    QFETCH(OperationState, from);
    const ClientEntryId id = w().add(1);
    const OperationId operation = w().lastOperation(id).id;
    for (const OperationState to : {OperationState::Superseded, OperationState::Discarded}) {
        auto transaction = begin();
        setState(operation, from);
        must(to == OperationState::Superseded
                 ? m_queue->supersedeAll(transaction, id, OperationId(), w().clock.now())
                 : m_queue->discardAll(transaction, id, w().clock.now()));
        const bool allowed = isUnfinished(from) && mayBecome(from, to);
        QCOMPARE(must(m_queue->find(operation))->state, allowed ? to : from);
    }
}

void TestOperationQueue::supersedesOnlyWhatNeverLeft()
{
    const ClientEntryId id = w().add(1);
    const OperationId operation = w().lastOperation(id).id;
    const auto supersede = [&] {
        auto transaction = begin();
        return must(m_queue->supersedeUnsent(transaction, operation, OperationId(), w().clock.now()));
    };
    QVERIFY(supersede()); // not committed
    must(w().journal->recordUncharged(w().lease(), attemptEnd(AttemptResult::NotReachable)));
    QCOMPARE(w().lastOperation(id).state, OperationState::Pending);
    QVERIFY(!supersede());
}

void TestOperationQueue::headIsTheFirstUnfinished()
{
    const ClientEntryId id = w().synced(1);
    QVERIFY(!must(m_queue->head(id)));
    must(w().edit(id, fieldsWith(2)));
    const Lease lease = w().lease();
    must(w().edit(id, fieldsWith(3)));
    QCOMPARE(must(m_queue->head(id))->id, lease.operation.id);
    QCOMPARE(must(m_queue->last(id))->id, w().lastOperation(id).id);
    QVERIFY(must(m_queue->head(id))->sequence < must(m_queue->last(id))->sequence);
}

void TestOperationQueue::baseVersionIsSetOnce()
{
    const ClientEntryId id = w().synced(1);
    must(w().edit(id, fieldsWith(2)));
    auto transaction = begin();
    must(m_queue->setBaseVersion(transaction, id, 9));
    QCOMPARE(must(m_queue->head(id))->baseVersion, std::optional<qint64>(1));
}

void TestOperationQueue::readyIsInTheOrderOfIntents()
{
    QList<OperationId> ids;
    for (int i = 0; i < 5; ++i)
        ids.append(w().lastOperation(w().add(i)).id);
    // The second waits on, the first and the fourth have waited long enough.
    const Instant now = w().clock.now();
    for (const auto &[index, length] : {std::pair(0, 20), {1, 100}, {3, 10}})
        must(execute(*w().connection,
                     QStringLiteral("UPDATE offline_operations SET state = 2, wait_started_at = ?, "
                                    "wait_length = ? WHERE operation_id = ?"),
                     now - Milliseconds(50), length, ids[index]));
    const auto readyIds = [&](int limit) {
        QList<OperationId> ready;
        for (const Operation &operation : must(m_queue->ready(now, limit)))
            ready.append(operation.id);
        return ready;
    };
    QCOMPARE(readyIds(10), (QList<OperationId>{ids[0], ids[2], ids[3], ids[4]}));
    QCOMPARE(readyIds(2), (QList<OperationId>{ids[0], ids[2]}));
    QVERIFY(readyIds(0).isEmpty());
}

/// Every statement of saving, leasing and reconciling finds its rows through an index.
void TestOperationQueue::nothingWalksOverAllRows()
{
    const auto connection = must(Connection::open(w().path));
    OperationQueue queue(*connection, w().account.id);
    EntryRepository entries(*connection, w().account.id);
    AttemptLog attempts(*connection, w().account.id);
    const Instant now = w().clock.now();
    const ClientEntryId id = ClientEntryId::random(w().random);
    const EntryFields fields = fieldsWith(1);
    {
        auto transaction = must(Transaction::begin(*connection));
        must(entries.insert(transaction, {id, fields, false, serverHas(1, fields), {}}));
        const Operation made =
            makeOperation(OperationType::CreateEntry, id, &fields, {}, {}, w().random, now);
        must(queue.append(transaction, made));
        must(queue.promoteHead(transaction, id));
        must(queue.setBaseVersion(transaction, id, 1));
        QVERIFY(must(queue.transition(transaction, made, ended(made, OperationState::Sending))));
        must(attempts.open(transaction, made.id, 1, AttemptTrigger::Start, now));
        must(attempts.close(transaction, made.id, 1, {}, now));
        must(attempts.charged(made.id));
        must(attempts.traces(made.id));
        must(attempts.of(made.id));
        must(queue.find(made.id));
        must(queue.head(id));
        must(queue.last(id));
        must(queue.ofEntry(id));
        must(queue.ready(now, 6));
        must(queue.withExpiredLease(now));
        must(queue.leasedBy(QStringLiteral("x")));
        must(queue.waiting(10));
        must(queue.supersedeUnsent(transaction, made.id, {}, now));
        must(queue.supersedeAll(transaction, id, {}, now));
        must(queue.discardAll(transaction, id, now));
        must(entries.find(id));
        must(entries.show(transaction, id, fields, true));
        must(entries.setStatus(transaction, id, {}));
        must(entries.forgetServerState(transaction, id));
        must(entries.remove(transaction, id));
        must(nextReadyAt(*connection, w().account.id, now));
    }
    QVERIFY(connection->statements().size() > 25);
    for (const QString &sql : connection->statements()) {
        if (sql.startsWith(QLatin1String("PRAGMA")) || !sql.contains(QLatin1Char(' ')))
            continue;
        const QString plan = queryPlan(*connection, sql).join(QLatin1Char('\n'));
        const bool scans = plan.contains(QLatin1String("SCAN offline")) ||
                           plan.contains(QLatin1String("SCAN entries")) ||
                           plan.contains(QLatin1String("SCAN operation_attempts"));
        QVERIFY2(!scans, qPrintable(sql + QLatin1Char('\n') + plan));
    }
    // The order by sequence comes from the indexes, except among the few that ready() found.
    const auto branches = [&](const char *index) {
        for (const QString &sql : connection->statements())
            if (sql.contains(QLatin1String("UNION ALL SELECT * FROM (SELECT seq")))
                return queryPlan(*connection, sql).join(QLatin1Char('\n')).contains(QLatin1String(index));
        return false;
    };
    QVERIFY(branches("USING INDEX operations_pending (account_id=? AND is_head=?)"));
    QVERIFY(branches("USING INDEX operations_by_wait_end (account_id=? AND <expr><?)"));
    QVERIFY(branches("USING INDEX operations_by_wait_start (account_id=? AND wait_started_at>?)"));
}

void TestOperationQueue::summaryAndMetricsCount()
{
    const Instant start = w().clock.now();
    w().synced(1);
    const AttemptEnd refusal = attemptEnd(AttemptResult::Refused, QStringLiteral("VALIDATION_FAILED"));
    w().add(2);
    must(w().journal->recordRefused(w().lease(), refusal));
    w().clock.advance(std::chrono::seconds(5));
    w().add(3);
    must(w().journal->recordRetry(w().lease(), attemptEnd(AttemptResult::NotNow), std::chrono::seconds(60)));
    w().clock.advance(std::chrono::seconds(5));
    w().add(4);
    w().lease();

    QueueSummary expected;
    expected.sending = 1;
    expected.retryWaiting = 1;
    expected.permanentFailed = 1;
    expected.oldestWaitingAt = start + std::chrono::seconds(5);
    expected.nextAttemptAt = start + std::chrono::seconds(65);
    expected.lastConfirmedAt = start;
    QCOMPARE(must(w().store->queueSummary()), expected);
    QCOMPARE(must(w().journal->summary()), expected);
    w().add(5);
    QCOMPARE(must(w().store->queueSummary()).pending, 1);
    QVERIFY(!must(w().store->queueSummary()).nextAttemptAt);

    const QueueMetrics metrics = must(w().store->metrics());
    using enum OperationState;
    QCOMPARE(metrics.operations,
             (QMap<OperationState, qint64>{
                 {Pending, 1}, {Sending, 1}, {RetryWaiting, 1}, {PermanentFailed, 1}, {Done, 1}}));
    QCOMPARE(metrics.attempts,
             (QMap<AttemptResult, qint64>{
                 {AttemptResult::Confirmed, 1}, {AttemptResult::NotNow, 1}, {AttemptResult::Refused, 1}}));
    QCOMPARE(metrics.permanentFailures, (QMap<QString, qint64>{{QStringLiteral("VALIDATION_FAILED"), 1}}));
    QCOMPARE(metrics.replays, 0);
    QCOMPARE(metrics.oldestWaitingAt, expected.oldestWaitingAt);
}

QTEST_GUILESS_MAIN(TestOperationQueue)
#include "tst_operationqueue.moc"
