#include "tests/store/storeworld.h"

#include <QSet>

#include <thread>

using namespace daybook;

namespace {

constexpr std::chrono::seconds tenSeconds(10);

AttemptEnd noAnswer() { return attemptEnd(AttemptResult::Unknown, clientcode::noReply); }

} // namespace

/// Each test ends with what `verify` says about the store.
class TestSyncJournal : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<StoreWorld>(); }
    void cleanup() { QCOMPARE(m_world->audited(), QString()); }

    // Taking
    void leasesOldestFirstOnePerEntry();
    void leaseIsWrittenDown();
    void waitsUntilTheTimeIsOver_data();
    void waitsUntilTheTimeIsOver();
    void takesOverExpiredLeases_data();
    void takesOverExpiredLeases();
    void accountThatPausesLeasesNothing();
    void refusedEntryHoldsNoOther();
    void unknownPayloadIsQuarantined();
    void journalsNeverLeaseTheSame();

    // Ends
    void ends_data();
    void ends();
    void anUnansweredAttemptIsRemembered_data();
    void anUnansweredAttemptIsRemembered();
    void resultsOfALostLeaseAreIgnored_data();
    void resultsOfALostLeaseAreIgnored();

    // Waits
    void clearingWaitsMakesAllReady();
    void releasingGivesLeasesBack();
    void nextReady_data();
    void nextReady();
    void countsCharges();

private:
    StoreWorld &w() { return *m_world; }
    QList<Lease> leaseAll() { return must(w().journal->lease(100, AttemptTrigger::NewOperation)); }
    Attempt lastAttempt(const OperationId &id) { return must(w().store->attempts(id)).last(); }
    Entry entry(const ClientEntryId &id) { return must(w().store->entry(id)); }

    std::unique_ptr<StoreWorld> m_world;
};

// --- Taking ----------------------------------------------------------------------------------------------

void TestSyncJournal::leasesOldestFirstOnePerEntry()
{
    const QList<ClientEntryId> ids = {w().add(1), w().add(2), w().add(3)};
    const auto first = must(w().journal->lease(2, AttemptTrigger::NewOperation));
    QCOMPARE(first.size(), 2);
    QCOMPARE(first[0].operation.entryId, ids[0]);
    QCOMPARE(first[1].operation.entryId, ids[1]);
    must(w().edit(ids[0], fieldsWith(9)));
    const auto second = must(w().journal->lease(6, AttemptTrigger::NewOperation));
    QCOMPARE(second.size(), 1);
    QCOMPARE(second[0].operation.entryId, ids[2]);
    QVERIFY(leaseAll().isEmpty());
}

void TestSyncJournal::leaseIsWrittenDown()
{
    const ClientEntryId id = w().add(1);
    const Lease lease = must(w().journal->lease(1, AttemptTrigger::Nudge)).first();
    QCOMPARE(lease.attemptNumber, 1);
    QCOMPARE(lease.operation.firstAttemptAt, std::optional(w().clock.now()));
    QCOMPARE(lease.operation.leaseExpiresAt, std::optional(w().clock.now() + leaseLength));
    QCOMPARE(w().lastOperation(id), lease.operation);
    QCOMPARE(entry(id).sync.state, SyncState::Sending);
    const Attempt attempt = lastAttempt(lease.operation.id);
    QCOMPARE(attempt.number, 1);
    QCOMPARE(attempt.trigger, AttemptTrigger::Nudge);
    QCOMPARE(attempt.startedAt, w().clock.now());
    QVERIFY(!attempt.finishedAt && !attempt.result);
}

void TestSyncJournal::waitsUntilTheTimeIsOver_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("ready");
    QTest::newRow("at once") << 0 << false;
    QTest::newRow("just before") << 9 << false;
    QTest::newRow("in time") << 10 << true;
    QTest::newRow("long after") << 100'000 << true;
    QTest::newRow("clock set back") << -1 << true;
}
void TestSyncJournal::waitsUntilTheTimeIsOver()
{
    QFETCH(int, seconds);
    QFETCH(bool, ready);
    const ClientEntryId id = w().add(1);
    must(w().journal->recordRetry(w().lease(), noAnswer(), tenSeconds));
    QCOMPARE(entry(id).sync,
             (SyncStatus{SyncState::AwaitingReply, clientcode::noReply, w().clock.now() + tenSeconds}));
    w().clock.setNow(w().clock.now() + std::chrono::seconds(seconds));
    const auto leases = leaseAll();
    QCOMPARE(!leases.isEmpty(), ready);
    if (ready) {
        QCOMPARE(leases.first().attemptNumber, 2);
        QVERIFY(!leases.first().operation.waitStartedAt);
    }
}

void TestSyncJournal::takesOverExpiredLeases_data()
{
    QTest::addColumn<int>("seconds");
    QTest::addColumn<bool>("takenOver");
    QTest::newRow("still holds") << 89 << false;
    QTest::newRow("over") << 90 << true;
    QTest::newRow("clock a little back") << 0 << false;
    QTest::newRow("further ahead than a lease can be") << -1 << true;
}
void TestSyncJournal::takesOverExpiredLeases()
{
    QFETCH(int, seconds);
    QFETCH(bool, takenOver);
    w().add(1);
    const Lease lost = w().lease();
    const auto other = w().openJournal("two");
    w().clock.setNow(w().clock.now() + std::chrono::seconds(seconds));
    const auto leases = must(other->lease(6, AttemptTrigger::Start));
    QCOMPARE(!leases.isEmpty(), takenOver);
    if (!takenOver)
        return;
    QCOMPARE(leases.first().operation.id, lost.operation.id);
    QVERIFY(leases.first().operation.leaseOwner != lost.operation.leaseOwner);
    const QList<Attempt> attempts = must(w().store->attempts(lost.operation.id));
    QCOMPARE(attempts.size(), 2);
    QCOMPARE(attempts[0].result, std::optional(AttemptResult::LeaseExpired));
    QVERIFY(attempts[0].finishedAt && !attempts[0].charged);
    QCOMPARE(attempts[1].trigger, AttemptTrigger::LeaseRecovered);
}

void TestSyncJournal::accountThatPausesLeasesNothing()
{
    w().add(1);
    const auto blocked = [this](Milliseconds ahead) {
        must(w().journal->setWaits({w().clock.now() + ahead, QStringLiteral("RATE_LIMITED"), 3}));
        return leaseAll().isEmpty();
    };
    QVERIFY(blocked(tenSeconds));
    QVERIFY(blocked(std::chrono::hours(24)));
    QCOMPARE(must(w().journal->waits()).probeStep, 3);
    QCOMPARE(must(w().journal->summary()).blockedUntil,
             std::optional(w().clock.now() + std::chrono::hours(24)));

    auto transaction = must(Transaction::begin(*w().connection));
    must(AccountRepository(*w().connection).signOut(transaction, w().account.id));
    must(transaction.commit());
    must(w().journal->setWaits({}));
    QVERIFY(leaseAll().isEmpty());
    QVERIFY(!must(w().journal->nextReadyAt()));
    w().signIn(w().account.serverAccountId);
    // Nobody may ask for more than a day: the clock was set back.
    QVERIFY(!blocked(std::chrono::hours(48)));
}

void TestSyncJournal::refusedEntryHoldsNoOther()
{
    const ClientEntryId refused = w().add(1);
    const Lease lease = w().lease();
    must(w().edit(refused, fieldsWith(2)));
    must(w().journal->recordRefused(lease,
                                    attemptEnd(AttemptResult::Refused, QStringLiteral("VALIDATION_FAILED"))));
    const ClientEntryId fine = w().add(3);
    const auto leases = leaseAll();
    QCOMPARE(leases.size(), 1);
    QCOMPARE(leases.first().operation.entryId, fine);
    QCOMPARE(w().operations(refused), QStringLiteral("C:permanent_failed U:pending"));
}

void TestSyncJournal::unknownPayloadIsQuarantined()
{
    const ClientEntryId newer = w().synced(1);
    must(w().edit(newer, fieldsWith(2)));
    must(execute(*w().connection, QStringLiteral("UPDATE offline_operations SET payload_version = 9, "
                                                 "payload_json = x'00', base_json = x'00' WHERE state = 0")));
    const ClientEntryId fine = w().add(3);
    const auto leases = leaseAll();
    QCOMPARE(leases.size(), 1);
    QCOMPARE(leases.first().operation.entryId, fine);
    QCOMPARE(w().operations(newer), QStringLiteral("C:done U:quarantined"));
    QCOMPARE(entry(newer).sync.state, SyncState::NeedsAttention);
    QCOMPARE(w().lastOperation(newer).payload, QByteArray(1, '\0'));
    QCOMPARE(w().store->discardChange(newer).error().kind, ErrorKind::Stale);
    must(w().edit(newer, fieldsWith(4)));
    QCOMPARE(w().operations(newer), QStringLiteral("C:done U:quarantined U:pending"));
    QVERIFY(leaseAll().isEmpty());
}

void TestSyncJournal::journalsNeverLeaseTheSame()
{
    constexpr int entries = 60;
    for (int i = 0; i < entries; ++i)
        w().add(i);
    std::array<QList<OperationId>, 3> taken;
    std::vector<std::thread> threads;
    for (auto &ids : taken)
        threads.emplace_back([this, &ids] {
            SeededRandom random(7);
            const auto journal = must(SyncJournal::open(w().path, w().account.id,
                                                        QString::number(quintptr(&ids)), w().clock, random));
            for (;;) {
                const auto leases = must(journal->lease(2, AttemptTrigger::NewOperation));
                if (leases.isEmpty())
                    return;
                for (const Lease &lease : leases)
                    ids.append(lease.operation.id);
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    QSet<OperationId> all;
    qsizetype leases = 0;
    for (const auto &ids : taken) {
        leases += ids.size();
        all.unite(QSet<OperationId>(ids.begin(), ids.end()));
    }
    QCOMPARE(leases, entries);
    QCOMPARE(all.size(), entries);
}

// --- Ends ------------------------------------------------------------------------------------------------

void TestSyncJournal::ends_data()
{
    QTest::addColumn<QString>("end");
    QTest::addColumn<OperationState>("state");
    QTest::addColumn<SyncState>("badge");
    QTest::addColumn<bool>("charged");
    using enum OperationState;
    QTest::newRow("retry") << "retry" << RetryWaiting << SyncState::RetryWaiting << true;
    QTest::newRow("uncharged") << "uncharged" << Pending << SyncState::Waiting << false;
    QTest::newRow("refused") << "refused" << PermanentFailed << SyncState::NeedsAttention << true;
}
void TestSyncJournal::ends()
{
    QFETCH(QString, end);
    QFETCH(OperationState, state);
    QFETCH(SyncState, badge);
    QFETCH(bool, charged);
    const ClientEntryId id = w().add(1);
    const Lease lease = w().lease();
    AttemptEnd details = attemptEnd(AttemptResult::NotNow, QStringLiteral("SOME_CODE"));
    details.httpStatus = 503;
    details.errorDetail = QStringLiteral("said so");
    w().clock.advance(std::chrono::seconds(1));
    const auto changed = end == QLatin1String("retry") ? w().journal->recordRetry(lease, details, tenSeconds)
                         : end == QLatin1String("refused") ? w().journal->recordRefused(lease, details)
                                                           : w().journal->recordUncharged(lease, details);
    QCOMPARE(must(changed), ChangedEntries{id});
    const Operation operation = w().lastOperation(id);
    QCOMPARE(operation.state, state);
    QCOMPARE(operation.lastErrorCode, QStringLiteral("SOME_CODE"));
    QCOMPARE(operation.lastErrorDetail, QStringLiteral("said so"));
    QVERIFY(operation.leaseOwner.isEmpty() && !operation.leaseExpiresAt);
    QCOMPARE(entry(id).sync.state, badge);
    QCOMPARE(entry(id).sync.errorCode, QStringLiteral("SOME_CODE"));
    const Attempt attempt = lastAttempt(operation.id);
    QCOMPARE(attempt.finishedAt, std::optional(w().clock.now()));
    QCOMPARE(attempt.result, std::optional(AttemptResult::NotNow));
    QCOMPARE(attempt.httpStatus, 503);
    QCOMPARE(attempt.charged, charged);
}

void TestSyncJournal::anUnansweredAttemptIsRemembered_data()
{
    QTest::addColumn<QString>("unanswered");
    QTest::addColumn<AttemptResult>("next");
    QTest::addColumn<QString>("code");
    using enum AttemptResult;
    for (const auto word : {clientcode::noReply, clientcode::unexpectedReply, clientcode::aborted}) {
        QTest::addRow("%s, then not reachable", word.data())
            << QString(word) << NotReachable << QString(clientcode::notReachable);
        QTest::addRow("%s, then signed out", word.data())
            << QString(word) << SessionRefused << QStringLiteral("TOKEN_EXPIRED");
    }
}

/// An end that says nothing about what was sent before does not take "waiting for confirmation" away.
void TestSyncJournal::anUnansweredAttemptIsRemembered()
{
    QFETCH(QString, unanswered);
    QFETCH(AttemptResult, next);
    QFETCH(QString, code);
    const ClientEntryId id = w().add(1);
    must(w().journal->recordRetry(w().lease(), attemptEnd(AttemptResult::Unknown, unanswered), tenSeconds));
    w().clock.advance(tenSeconds);
    must(w().journal->recordUncharged(w().lease(), attemptEnd(next, code)));
    QCOMPARE(w().operations(id), QStringLiteral("C:pending"));
    QCOMPARE(entry(id).sync.state, SyncState::AwaitingReply);
    QCOMPARE(entry(id).sync.errorCode, unanswered);
    QCOMPARE(lastAttempt(w().lastOperation(id).id).errorCode, code);
    // An answer of the server does.
    must(w().journal->recordRetry(w().lease(), attemptEnd(AttemptResult::NotNow, QStringLiteral("BUSY")),
                                  tenSeconds));
    QCOMPARE(entry(id).sync.state, SyncState::RetryWaiting);
}

void TestSyncJournal::resultsOfALostLeaseAreIgnored_data()
{
    QTest::addColumn<QString>("holder"); ///< who has the operation by now
    QTest::newRow("another journal") << QStringLiteral("two");
    QTest::newRow("the same journal, next attempt") << QStringLiteral("one");
    QTest::newRow("nobody") << QString();
}
void TestSyncJournal::resultsOfALostLeaseAreIgnored()
{
    QFETCH(QString, holder);
    const ClientEntryId id = w().add(1);
    const Lease lost = w().lease();
    w().clock.advance(leaseLength);
    const auto other = w().openJournal("two");
    if (holder == QLatin1String("two"))
        QCOMPARE(must(other->lease(1, AttemptTrigger::Start)).size(), 1);
    else if (holder == QLatin1String("one"))
        QCOMPARE(leaseAll().size(), 1);
    else
        must(w().journal->releaseLeases());

    const QList<Operation> operations = must(w().store->operations(id));
    const QList<Attempt> attempts = must(w().store->attempts(lost.operation.id));
    QVERIFY(must(w().journal->recordRetry(lost, noAnswer(), tenSeconds)).isEmpty());
    QVERIFY(must(w().journal->recordUncharged(lost, noAnswer())).isEmpty());
    QVERIFY(must(w().journal->recordRefused(lost, noAnswer())).isEmpty());
    QVERIFY(must(w().journal->recordConflict(lost, noAnswer(), serverHas(9, fieldsWith(9)))).isEmpty());
    QCOMPARE(must(w().store->operations(id)), operations);
    QCOMPARE(must(w().store->attempts(lost.operation.id)), attempts);
}

// --- Waits -----------------------------------------------------------------------------------------------

void TestSyncJournal::clearingWaitsMakesAllReady()
{
    constexpr int entries = 250; // more than one transaction ends
    for (int i = 0; i < entries; ++i)
        w().add(i);
    must(execute(*w().connection,
                 QStringLiteral("UPDATE offline_operations SET state = 2, wait_started_at = ?, "
                                "wait_length = 100000"),
                 w().clock.now()));
    must(execute(*w().connection, QStringLiteral("UPDATE entries SET sync_state = 4, next_attempt_at = ?"),
                 w().clock.now() + std::chrono::seconds(100)));
    must(w().journal->setWaits({w().clock.now() + tenSeconds, QStringLiteral("RATE_LIMITED"), 2}));
    QVERIFY(leaseAll().isEmpty());
    QCOMPARE(must(w().journal->clearWaits()).size(), entries);
    QCOMPARE(must(w().journal->waits()).probeStep, 0);
    QCOMPARE(must(w().journal->summary()).pending, entries);
    QCOMPARE(leaseAll().size(), 100);
}

void TestSyncJournal::releasingGivesLeasesBack()
{
    const ClientEntryId mine = w().add(1);
    const Lease lease = w().lease();
    const ClientEntryId theirs = w().add(2);
    const auto other = w().openJournal("two");
    QCOMPARE(must(other->lease(1, AttemptTrigger::Start)).size(), 1);
    QCOMPARE(must(w().journal->releaseLeases()), ChangedEntries{mine});
    QCOMPARE(w().operations(mine), QStringLiteral("C:pending"));
    QCOMPARE(w().operations(theirs), QStringLiteral("C:sending"));
    QCOMPARE(lastAttempt(lease.operation.id).result, std::optional(AttemptResult::Aborted));
    QCOMPARE(entry(mine).sync.state, SyncState::AwaitingReply);
    // It may have arrived, so it stays as it is.
    QCOMPARE(w().store->discardChange(mine).error().kind, ErrorKind::Stale);
    must(w().store->deleteEntry(mine));
    QCOMPARE(w().operations(mine), QStringLiteral("C:pending D:pending"));
}

void TestSyncJournal::nextReady_data()
{
    QTest::addColumn<QString>("situation");
    QTest::addColumn<int>("seconds"); ///< from now; -1: never
    QTest::newRow("empty") << "" << -1;
    QTest::newRow("pending") << "add" << 0;
    QTest::newRow("waiting") << "add wait" << 10;
    QTest::newRow("waiting and pending") << "add wait add" << 0;
    QTest::newRow("leased") << "add lease" << 90;
    QTest::newRow("leased, clock set back") << "add lease back" << 0;
    QTest::newRow("leased and waiting") << "add wait add lease" << 10;
    QTest::newRow("refused") << "add refuse" << -1;
    QTest::newRow("behind a refused one") << "add lease edit refused" << -1;
    QTest::newRow("blocked") << "add block" << 30;
    QTest::newRow("blocked, waiting") << "add wait block" << 30;
}
void TestSyncJournal::nextReady()
{
    QFETCH(QString, situation);
    QFETCH(int, seconds);
    ClientEntryId id;
    std::optional<Lease> held;
    for (const QString &step : situation.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        if (step == QLatin1String("add"))
            id = w().add(1);
        else if (step == QLatin1String("lease"))
            held = w().lease();
        else if (step == QLatin1String("wait"))
            must(w().journal->recordRetry(w().lease(), noAnswer(), tenSeconds));
        else if (step == QLatin1String("refuse"))
            must(w().journal->recordRefused(w().lease(), attemptEnd(AttemptResult::Refused)));
        else if (step == QLatin1String("refused"))
            must(w().journal->recordRefused(*held, attemptEnd(AttemptResult::Refused)));
        else if (step == QLatin1String("edit"))
            must(w().edit(id, fieldsWith(2)));
        else if (step == QLatin1String("back"))
            w().clock.setNow(w().clock.now() - tenSeconds);
        else
            must(w().journal->setWaits({w().clock.now() + std::chrono::seconds(30), {}, 0}));
    }
    const std::optional<Instant> expected =
        seconds < 0 ? std::nullopt : std::optional(w().clock.now() + std::chrono::seconds(seconds));
    QCOMPARE(must(w().journal->nextReadyAt()), expected);
}

void TestSyncJournal::countsCharges()
{
    w().add(1);
    const OperationId id = w().lease().operation.id;
    must(w().journal->releaseLeases());
    QCOMPARE(must(w().journal->chargedAttempts(id)), 0);
    for (int i = 1; i <= 3; ++i) {
        must(w().journal->recordRetry(w().lease(), noAnswer(), tenSeconds));
        QCOMPARE(must(w().journal->chargedAttempts(id)), i);
        w().clock.advance(tenSeconds);
    }
    must(w().journal->recordUncharged(w().lease(), noAnswer()));
    QCOMPARE(must(w().journal->chargedAttempts(id)), 3);
}

QTEST_GUILESS_MAIN(TestSyncJournal)
#include "tst_syncjournal.moc"
