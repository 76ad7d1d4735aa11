#include "tests/store/storeworld.h"

using namespace daybook;

namespace {

constexpr std::chrono::seconds tenSeconds(10);

AttemptEnd noAnswer() { return attemptEnd(AttemptResult::Unknown, clientcode::noReply); }

AttemptEnd versionConflict()
{
    return attemptEnd(AttemptResult::Conflict, QStringLiteral("VERSION_CONFLICT"));
}

} // namespace

/// What the server's answers do to entries, through the journal. Each test ends with what `verify` says.
class TestReconciler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<StoreWorld>(); }
    void cleanup() { QCOMPARE(m_world->audited(), QString()); }

    void confirmationCountsOnceTheLeaseIsLost();
    void confirmingTwiceChangesNothing();
    void confirmationSurvivesAnyState_data();
    void confirmationSurvivesAnyState();
    void versionOnlyMovesUp();
    void nextOperationStartsFromThatReply();
    void deletionOfWhatTheServerNeverHad();
    void proofAfterDiscardIsCompensated();
    void proofAfterANewCreateIsCompensated();
    void proofAfterDeletionIsCompensated();
    void failedCommitChangesNothing();
    void conflicts_data();
    void conflicts();
    void mergeReplacesAllBehindIt();
    void takenIdWithTheSameContentIsDone();
    void takenIdWithOtherContentIsAConflict();
    void entryTheServerLostCanBeSentAgain();

private:
    StoreWorld &w() { return *m_world; }
    Entry entry(const ClientEntryId &id) { return must(w().store->entry(id)); }
    void refuseTwice(const ClientEntryId &id)
    {
        must(w().journal->recordRefused(w().lease(), attemptEnd(AttemptResult::Refused)));
        must(w().store->retryChange(id));
        must(w().journal->recordRefused(w().lease(), attemptEnd(AttemptResult::Refused)));
    }

    std::unique_ptr<StoreWorld> m_world;
};

void TestReconciler::confirmationCountsOnceTheLeaseIsLost()
{
    const ClientEntryId id = w().add(1);
    const Lease lost = w().lease();
    w().clock.advance(leaseLength);
    const auto other = w().openJournal("two");
    const Lease late = must(other->lease(1, AttemptTrigger::Start)).leases.first();
    QCOMPARE(w().confirm(lost, serverHas(1, fieldsWith(1))), ChangedEntries{id});
    QCOMPARE(w().operations(id), QStringLiteral("C:done"));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
    // The other one's end comes too late, its confirmation changes nothing.
    QVERIFY(must(other->recordRetry(late, noAnswer(), tenSeconds)).isEmpty());
    AttemptEnd replay = attemptEnd(AttemptResult::Confirmed);
    replay.replayed = true;
    must(other->recordConfirmed(late, replay, serverHas(1, fieldsWith(1))));
    const QList<Attempt> attempts = must(w().store->attempts(lost.operation.id));
    QCOMPARE(attempts[0].result, std::optional(AttemptResult::Confirmed));
    QCOMPARE(attempts[1].result, std::optional(AttemptResult::Confirmed));
    QVERIFY(!attempts[0].replayed && attempts[1].replayed);
}

void TestReconciler::confirmingTwiceChangesNothing()
{
    const ClientEntryId id = w().add(1);
    const Lease lease = w().lease();
    must(w().edit(id, fieldsWith(2)));
    w().confirm(lease, serverHas(1, fieldsWith(1)));
    const Entry before = entry(id);
    const QList<Operation> operations = must(w().store->operations(id));
    const QList<Attempt> attempts = must(w().store->attempts(lease.operation.id));
    w().clock.advance(tenSeconds);
    w().confirm(lease, serverHas(1, fieldsWith(1)));
    QCOMPARE(entry(id), before);
    QCOMPARE(must(w().store->operations(id)), operations);
    QCOMPARE(must(w().store->attempts(lease.operation.id)), attempts);
}

void TestReconciler::confirmationSurvivesAnyState_data()
{
    QTest::addColumn<QString>("meanwhile");
    for (const char *meanwhile : {"pending", "retry_waiting", "permanent_failed", "conflict", "sending"})
        QTest::newRow(meanwhile) << QString::fromLatin1(meanwhile);
}

void TestReconciler::confirmationSurvivesAnyState()
{
    QFETCH(QString, meanwhile);
    const ClientEntryId id = w().synced(1);
    must(w().edit(id, fieldsWith(2)));
    const Lease first = w().lease();
    w().clock.advance(leaseLength);
    const Lease second = w().lease();
    if (meanwhile == QLatin1String("pending"))
        must(w().journal->recordUncharged(second, attemptEnd(AttemptResult::NotReachable)));
    else if (meanwhile == QLatin1String("retry_waiting"))
        must(w().journal->recordRetry(second, noAnswer(), tenSeconds));
    else if (meanwhile == QLatin1String("permanent_failed"))
        must(w().journal->recordRefused(second, attemptEnd(AttemptResult::Refused)));
    else if (meanwhile == QLatin1String("conflict"))
        must(w().journal->recordConflict(second, versionConflict(), serverHas(2, fieldsWith(5))));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:") + meanwhile);
    w().confirm(first, serverHas(3, fieldsWith(2)));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:done"));
    QVERIFY(entry(id).fields == fieldsWith(2));
    QCOMPARE(entry(id).sync, (SyncStatus{SyncState::Synced, {}, {}}));
}

void TestReconciler::versionOnlyMovesUp()
{
    const ClientEntryId id = w().add(1);
    const Lease lease = w().lease();
    w().confirm(lease, serverHas(4, fieldsWith(4)));
    w().confirm(lease, serverHas(3, fieldsWith(3)));
    QCOMPARE(entry(id).server, std::optional(serverHas(4, fieldsWith(4))));
    QVERIFY(entry(id).fields == fieldsWith(4));
}

void TestReconciler::nextOperationStartsFromThatReply()
{
    const ClientEntryId id = w().add(70);
    const Lease create = w().lease();
    must(w().edit(id, fieldsWith(71)));
    QVERIFY(!w().lastOperation(id).baseVersion);
    w().confirm(create, serverHas(1, fieldsWith(70)));
    QVERIFY(entry(id).fields == fieldsWith(71));
    QCOMPARE(entry(id).sync.state, SyncState::Waiting);
    const Lease update = w().lease();
    QCOMPARE(update.operation.baseVersion, std::optional<qint64>(1));
    must(w().edit(id, fieldsWith(72)));
    w().confirm(update, serverHas(2, fieldsWith(71)));
    const Lease last = w().lease();
    QCOMPARE(last.operation.baseVersion, std::optional<qint64>(2));
    // A repeat of an old reply does not touch it.
    w().confirm(create, serverHas(1, fieldsWith(70)));
    QCOMPARE(w().lastOperation(id).baseVersion, std::optional<qint64>(2));
    w().confirm(last, serverHas(3, fieldsWith(72)));
    QCOMPARE(entry(id).server, std::optional(serverHas(3, fieldsWith(72))));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
}

void TestReconciler::deletionOfWhatTheServerNeverHad()
{
    const ClientEntryId id = w().synced(1);
    must(w().store->deleteEntries({id}));
    w().confirm(w().lease(), {{}, 0, {}, true});
    QCOMPARE(w().store->entry(id).error().kind, ErrorKind::NotFound);
    QCOMPARE(w().operations(id), QStringLiteral("C:done D:done"));
}

void TestReconciler::proofAfterDiscardIsCompensated()
{
    const ClientEntryId id = w().synced(1);
    must(w().edit(id, fieldsWith(2)));
    const Lease first = w().lease();
    // A proxy said so, and passed it on.
    must(w().journal->recordUncharged(first, attemptEnd(AttemptResult::NotReachable)));
    must(w().store->discardChange(id));
    QVERIFY(entry(id).fields == fieldsWith(1));
    w().confirm(first, serverHas(2, fieldsWith(2)));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:done U:pending"));
    QVERIFY(entry(id).fields == fieldsWith(1));
    const Lease back = w().lease();
    QCOMPARE(back.operation.baseVersion, std::optional<qint64>(2));
    w().confirm(back, serverHas(3, fieldsWith(1)));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
}

void TestReconciler::proofAfterANewCreateIsCompensated()
{
    const ClientEntryId id = w().add(1);
    const Lease first = w().lease();
    w().clock.advance(leaseLength);
    refuseTwice(id);
    must(w().edit(id, fieldsWith(2)));
    w().confirm(first, serverHas(1, fieldsWith(1)));
    QCOMPARE(w().operations(id), QStringLiteral("C:done C:superseded U:pending"));
    QCOMPARE(w().lastOperation(id).baseVersion, std::optional<qint64>(1));
    QVERIFY(entry(id).fields == fieldsWith(2));
}

void TestReconciler::proofAfterDeletionIsCompensated()
{
    const ClientEntryId id = w().add(1);
    const Lease first = w().lease();
    w().clock.advance(leaseLength);
    refuseTwice(id);
    must(w().store->deleteEntries({id}));
    QCOMPARE(w().operations(id), QStringLiteral("C:superseded D:pending"));
    w().confirm(first, serverHas(1, fieldsWith(1)));
    QCOMPARE(w().operations(id), QStringLiteral("C:done D:superseded D:pending"));
    QVERIFY(entry(id).deleted);
    QCOMPARE(must(w().store->entryCount({})), 0);
    w().confirm(w().lease(), serverHas(2, {}, true));
    QCOMPARE(w().store->entry(id).error().kind, ErrorKind::NotFound);
}

void TestReconciler::failedCommitChangesNothing()
{
    const ClientEntryId id = w().add(1);
    const Lease lease = w().lease();
    const Operation before = w().lastOperation(id);
    must(execute(*w().connection, QStringLiteral("CREATE TRIGGER no_room BEFORE UPDATE ON offline_operations "
                                                 "BEGIN SELECT raise(ABORT, 'no'); END")));
    QVERIFY(!w().journal
                 ->recordConfirmed(lease, attemptEnd(AttemptResult::Confirmed), serverHas(1, fieldsWith(1)))
                 .ok());
    must(execute(*w().connection, QStringLiteral("DROP TRIGGER no_room")));
    QCOMPARE(w().lastOperation(id), before);
    QVERIFY(!entry(id).server);
    // The lease runs out, the server replays.
    w().clock.advance(leaseLength);
    w().confirm(w().lease(), serverHas(1, fieldsWith(1)));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
}

void TestReconciler::conflicts_data()
{
    using Server = std::optional<ServerState>;
    QTest::addColumn<bool>("deletes"); ///< else edits value and nothing else
    QTest::addColumn<Server>("server");
    QTest::addColumn<QString>("operations");
    QTest::addColumn<EntryFields>("shown");
    QTest::addColumn<SyncState>("badge");
    // The entry was 70 without a note; here it becomes 72.
    const EntryFields mine = fieldsWith(72);
    const auto row = [](const char *name, bool deletes, const Server &server, const char *operations,
                        const EntryFields &shown, SyncState badge) {
        QTest::newRow(name) << deletes << server << QString::fromLatin1(operations) << shown << badge;
    };
    row("other field there", false, serverHas(2, fieldsWith(70, QStringLiteral("theirs"))),
        "C:done U:superseded U:pending", fieldsWith(72, QStringLiteral("theirs")), SyncState::Waiting);
    row("same field there", false, serverHas(2, fieldsWith(71)), "C:done U:conflict", mine,
        SyncState::Conflict);
    row("same change there", false, serverHas(2, mine), "C:done U:superseded", mine, SyncState::Synced);
    row("same change and more there", false, serverHas(2, fieldsWith(72, QStringLiteral("theirs"))),
        "C:done U:superseded", fieldsWith(72, QStringLiteral("theirs")), SyncState::Synced);
    row("deleted there", false, serverHas(2, {}, true), "C:done U:conflict", mine, SyncState::Conflict);
    row("unknown there", false, {}, "C:done U:conflict", mine, SyncState::Conflict);
    row("delete, edited there", true, serverHas(2, fieldsWith(71)), "C:done D:conflict", fieldsWith(70),
        SyncState::Conflict);
    row("delete, deleted there", true, serverHas(2, {}, true), "C:done D:done", {}, SyncState::Synced);
    row("delete, unknown there", true, {}, "C:done D:done", {}, SyncState::Synced);
}

void TestReconciler::conflicts()
{
    QFETCH(bool, deletes);
    QFETCH(std::optional<ServerState>, server);
    QFETCH(QString, operations);
    QFETCH(EntryFields, shown);
    QFETCH(SyncState, badge);
    const ClientEntryId id = w().synced(70);
    if (deletes)
        must(w().store->deleteEntries({id}));
    else
        must(w().edit(id, fieldsWith(72)));
    QCOMPARE(must(w().journal->recordConflict(w().lease(), versionConflict(), server)), ChangedEntries{id});
    QCOMPARE(w().operations(id), operations);
    const auto now = w().store->entry(id);
    if (shown == EntryFields()) {
        QCOMPARE(now.error().kind, ErrorKind::NotFound);
        return;
    }
    QVERIFY(now->fields == shown);
    QCOMPARE(now->deleted, deletes);
    QCOMPARE(now->sync.state, badge);
    if (badge == SyncState::Conflict)
        QCOMPARE(now->sync.errorCode, QStringLiteral("VERSION_CONFLICT"));
    if (badge == SyncState::Waiting) {
        QCOMPARE(w().lastOperation(id).baseVersion, std::optional<qint64>(2));
        QVERIFY(w().lastOperation(id).base == server->fields);
    }
}

void TestReconciler::mergeReplacesAllBehindIt()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(71)));
    const Lease lease = w().lease();
    must(w().edit(id, fieldsWith(72)));
    must(w().journal->recordConflict(lease, versionConflict(),
                                     serverHas(5, fieldsWith(70, QStringLiteral("theirs")))));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:superseded U:superseded U:pending"));
    const Operation merged = w().lastOperation(id);
    QCOMPARE(must(w().store->operations(id))[1].supersededBy, std::optional(merged.id));
    QVERIFY(entry(id).fields == fieldsWith(72, QStringLiteral("theirs")));
    QCOMPARE(w().history(id).last().reason, HistoryReason::Merged);
    w().confirm(w().lease(), serverHas(6, entry(id).fields));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
}

void TestReconciler::takenIdWithTheSameContentIsDone()
{
    const ClientEntryId id = w().add(70);
    must(w().journal->recordConflict(w().lease(), versionConflict(), serverHas(3, fieldsWith(70))));
    QCOMPARE(w().operations(id), QStringLiteral("C:done"));
    QCOMPARE(entry(id).server->version, 3);
}

void TestReconciler::takenIdWithOtherContentIsAConflict()
{
    const ClientEntryId id = w().add(70);
    must(w().journal->recordConflict(w().lease(), versionConflict(), serverHas(3, fieldsWith(75))));
    QCOMPARE(w().operations(id), QStringLiteral("C:conflict"));
    QVERIFY(entry(id).fields == fieldsWith(70));
    must(w().edit(id, fieldsWith(76)));
    const Lease lease = w().lease();
    QCOMPARE(lease.operation.type, OperationType::UpdateEntry);
    QCOMPARE(lease.operation.baseVersion, std::optional<qint64>(3));
}

void TestReconciler::entryTheServerLostCanBeSentAgain()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(71)));
    must(w().journal->recordConflict(w().lease(), versionConflict(), std::nullopt));
    must(w().edit(id, fieldsWith(72)));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:superseded C:pending"));
    w().confirm(w().lease(), serverHas(1, fieldsWith(72)));
    QCOMPARE(entry(id).sync.state, SyncState::Synced);
    QCOMPARE(entry(id).server->version, 1);
}

QTEST_GUILESS_MAIN(TestReconciler)
#include "tst_reconciler.moc"
