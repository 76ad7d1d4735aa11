#include "models/domain/attempt.h"
#include "models/domain/operation.h"

#include <QTest>

#include <vector>

using namespace daybook;

class TestSyncState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void derivesTheBadge_data();
    void derivesTheBadge();
    void theFirstOperationDecides();
    void nothingUnfinishedIsSynced();
    void aLocalEntryIsLocal();
};

void TestSyncState::derivesTheBadge_data()
{
    QTest::addColumn<OperationState>("state");
    QTest::addColumn<QString>("errorCode");
    QTest::addColumn<SyncState>("badge");
    const auto row = [](const char *label, OperationState state, QLatin1StringView code, SyncState badge) {
        QTest::newRow(label) << state << QString(code) << badge;
    };
    using enum OperationState;
    row("never left", Pending, {}, SyncState::Waiting);
    row("server not reachable", Pending, clientcode::notReachable, SyncState::Waiting);
    row("after Sync now, still unanswered", Pending, clientcode::noReply, SyncState::AwaitingReply);
    row("ended by us under way", Pending, clientcode::aborted, SyncState::AwaitingReply);
    row("on its way", Sending, {}, SyncState::Sending);
    row("on its way again", Sending, clientcode::noReply, SyncState::Sending);
    row("no reply", RetryWaiting, clientcode::noReply, SyncState::AwaitingReply);
    row("sign-in page", RetryWaiting, clientcode::unexpectedReply, SyncState::AwaitingReply);
    row("not now", RetryWaiting, QLatin1StringView("RATE_LIMITED"), SyncState::RetryWaiting);
    row("refused", PermanentFailed, QLatin1StringView("VALIDATION_FAILED"), SyncState::NeedsAttention);
    row("unreadable", Quarantined, {}, SyncState::NeedsAttention);
    row("conflict", Conflict, QLatin1StringView("VERSION_CONFLICT"), SyncState::Conflict);
}

void TestSyncState::derivesTheBadge()
{
    QFETCH(OperationState, state);
    QFETCH(QString, errorCode);
    QFETCH(SyncState, badge);
    Operation operation;
    operation.state = state;
    operation.lastErrorCode = errorCode;
    operation.waitStartedAt = fromEpochMilliseconds(1000);
    operation.waitLength = std::chrono::seconds(5);
    const SyncStatus status = deriveSyncStatus(std::span(&operation, 1), false);
    QCOMPARE(status.state, badge);
    QCOMPARE(status.errorCode, errorCode);
    const bool waits = state == OperationState::RetryWaiting;
    QCOMPARE(status.nextAttemptAt.has_value(), waits);
    if (waits)
        QCOMPARE(toEpochMilliseconds(*status.nextAttemptAt), 6000);
}

void TestSyncState::theFirstOperationDecides()
{
    std::vector<Operation> operations(2);
    operations[0].state = OperationState::PermanentFailed;
    operations[1].state = OperationState::Pending;
    QCOMPARE(deriveSyncStatus(operations, false).state, SyncState::NeedsAttention);
}

void TestSyncState::nothingUnfinishedIsSynced()
{
    QCOMPARE(deriveSyncStatus({}, false).state, SyncState::Synced);
    QVERIFY(!isUnsynced(SyncState::Synced));
    QVERIFY(!isUnsynced(SyncState::LocalOnly));
    QVERIFY(isUnsynced(SyncState::AwaitingReply));
}

void TestSyncState::aLocalEntryIsLocal() { QCOMPARE(deriveSyncStatus({}, true).state, SyncState::LocalOnly); }

QTEST_GUILESS_MAIN(TestSyncState)
#include "tst_syncstate.moc"
