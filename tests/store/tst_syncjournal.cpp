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
    void unreadableRowIsQuarantined_data();
    void unreadableRowIsQuarantined();
    void tellsWhatItTookBack();
    void journalsNeverLeaseTheSame();

    // Ends
    void ends_data();
    void ends();
    void anUnansweredAttemptIsRemembered_data();
    void anUnansweredAttemptIsRemembered();
    void resultsOfALostLeaseAreIgnored_data();
    void resultsOfALostLeaseAreIgnored();

private:
    StoreWorld &w() { return *m_world; }
    QList<Lease> leaseAll() { return must(w().journal->lease(100, AttemptTrigger::NewOperation)).leases; }
    Attempt lastAttempt(const OperationId &id) { return must(w().store->attempts(id)).last(); }
    Entry entry(const ClientEntryId &id) { return must(w().store->entry(id)); }

    std::unique_ptr<StoreWorld> m_world;
};

// --- Taking ----------------------------------------------------------------------------------------------

void TestSyncJournal::leasesOldestFirstOnePerEntry()
{
    const QList<ClientEntryId> ids = {w().add(1), w().add(2), w().add(3)};
    const auto first = must(w().journal->lease(2, AttemptTrigger::NewOperation)).leases;
    QCOMPARE(first.size(), 2);
    QCOMPARE(first[0].operation.entryId, ids[0]);
    QCOMPARE(first[1].operation.entryId, ids[1]);
    must(w().edit(ids[0], fieldsWith(9)));
    const auto second = must(w().journal->lease(6, AttemptTrigger::NewOperation)).leases;
    QCOMPARE(second.size(), 1);
    QCOMPARE(second[0].operation.entryId, ids[2]);
    QVERIFY(leaseAll().isEmpty());
}

void TestSyncJournal::leaseIsWrittenDown()
{
    const ClientEntryId id = w().add(1);
    const Lease lease = must(w().journal->lease(1, AttemptTrigger::Nudge)).leases.first();
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
    const auto leases = must(other->lease(6, AttemptTrigger::Start)).leases;
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
        w().setWaits({w().clock.now() + ahead, QStringLiteral("RATE_LIMITED"), 3});
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
    w().setWaits({});
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

void TestSyncJournal::unreadableRowIsQuarantined_data()
{
    QTest::addColumn<QString>("column");
    QTest::newRow("what the edit started from") << QStringLiteral("base_json");
    QTest::newRow("what it sends") << QStringLiteral("payload_json");
}

/// One damaged row holds back its own entry, not the account.
void TestSyncJournal::unreadableRowIsQuarantined()
{
    QFETCH(QString, column);
    const ClientEntryId damaged = w().synced(1);
    must(w().edit(damaged, fieldsWith(2)));
    const QByteArray before = w().lastOperation(damaged).payload;
    must(execute(*w().connection,
                 QStringLiteral("UPDATE offline_operations SET %1 = x'00' WHERE state = 0").arg(column)));
    const ClientEntryId fine = w().add(3);
    const Leased leased = must(w().journal->lease(6, AttemptTrigger::Start));
    QCOMPARE(leased.leases.size(), 1);
    QCOMPARE(leased.leases.first().operation.entryId, fine);
    QCOMPARE(QSet<ClientEntryId>(leased.changed.begin(), leased.changed.end()),
             (QSet<ClientEntryId>{damaged, fine}));
    QCOMPARE(w().operations(damaged), QStringLiteral("C:done U:quarantined"));
    QCOMPARE(entry(damaged).sync.state, SyncState::NeedsAttention);
    must(w().edit(damaged, fieldsWith(4)));
    QCOMPARE(w().operations(damaged), QStringLiteral("C:done U:quarantined U:pending"));
    must(execute(*w().connection, // so that verify has nothing to find
                 QStringLiteral("UPDATE offline_operations SET payload_json = ? WHERE state = 5"), before));
}

void TestSyncJournal::tellsWhatItTookBack()
{
    const QList<ClientEntryId> ids = {w().add(1), w().add(2)};
    QCOMPARE(leaseAll().size(), 2);
    w().clock.advance(leaseLength);
    const Leased leased = must(w().journal->lease(1, AttemptTrigger::Start));
    QCOMPARE(leased.leases.size(), 1);
    QCOMPARE(leased.changed.size(), 2);
    QVERIFY(leased.changed.contains(ids[0]) && leased.changed.contains(ids[1]));
    QCOMPARE(entry(ids[1]).sync.state, SyncState::AwaitingReply);
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
                const auto leases = must(journal->lease(2, AttemptTrigger::NewOperation)).leases;
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
        QCOMPARE(must(other->lease(1, AttemptTrigger::Start)).leases.size(), 1);
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

QTEST_GUILESS_MAIN(TestSyncJournal)
#include "tst_syncjournal.moc"
