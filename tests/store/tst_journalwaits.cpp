#include "tests/store/storeworld.h"

using namespace daybook;

namespace {

constexpr std::chrono::seconds tenSeconds(10);

AttemptEnd noAnswer() { return attemptEnd(AttemptResult::Unknown, clientcode::noReply); }

} // namespace

/// SyncJournal: until when nothing is sent. Each test ends with what `verify` says about the store.
class TestJournalWaits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<StoreWorld>(); }
    void cleanup() { QCOMPARE(m_world->audited(), QString()); }

    void clearingWaitsMakesAllReady();
    void releasingGivesLeasesBack();
    void nextReady_data();
    void nextReady();
    void countsCharges();
    void keepsWhatAnotherProcessWasTold();

private:
    StoreWorld &w() { return *m_world; }
    QList<Lease> leaseAll() { return must(w().journal->lease(100, AttemptTrigger::NewOperation)).leases; }

    std::unique_ptr<StoreWorld> m_world;
};

void TestJournalWaits::clearingWaitsMakesAllReady()
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
    w().setWaits({w().clock.now() + tenSeconds, QStringLiteral("RATE_LIMITED"), 2});
    QVERIFY(leaseAll().isEmpty());
    QCOMPARE(must(w().journal->clearWaits()).size(), entries);
    QCOMPARE(must(w().journal->waits()).probeStep, 0);
    QCOMPARE(must(w().journal->summary()).pending, entries);
    QCOMPARE(leaseAll().size(), 100);
}

void TestJournalWaits::releasingGivesLeasesBack()
{
    const ClientEntryId mine = w().add(1);
    const Lease lease = w().lease();
    const ClientEntryId theirs = w().add(2);
    const auto other = w().openJournal("two");
    QCOMPARE(must(other->lease(1, AttemptTrigger::Start)).leases.size(), 1);
    QCOMPARE(must(w().journal->releaseLeases()), ChangedEntries{mine});
    QCOMPARE(w().operations(mine), QStringLiteral("C:pending"));
    QCOMPARE(w().operations(theirs), QStringLiteral("C:sending"));
    QCOMPARE(must(w().store->attempts(lease.operation.id)).last().result,
             std::optional(AttemptResult::Aborted));
    QCOMPARE(must(w().store->entry(mine)).sync.state, SyncState::AwaitingReply);
    // It may have arrived, so it stays as it is.
    QCOMPARE(w().store->discardChange(mine).error().kind, ErrorKind::Stale);
    must(w().store->deleteEntries({mine}));
    QCOMPARE(w().operations(mine), QStringLiteral("C:pending D:pending"));
}

void TestJournalWaits::nextReady_data()
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
void TestJournalWaits::nextReady()
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
            w().setWaits({w().clock.now() + std::chrono::seconds(30), {}, 0});
    }
    const std::optional<Instant> expected =
        seconds < 0 ? std::nullopt : std::optional(w().clock.now() + std::chrono::seconds(seconds));
    QCOMPARE(must(w().journal->nextReadyAt()), expected);
}

void TestJournalWaits::countsCharges()
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

void TestJournalWaits::keepsWhatAnotherProcessWasTold()
{
    const AccountWaits probing{{}, {}, 2};
    w().setWaits(probing);
    const AccountWaits told{w().clock.now() + tenSeconds, QStringLiteral("RATE_LIMITED"), 3};
    QVERIFY(must(w().openJournal("two")->setWaits(probing, told)));
    QVERIFY(!must(w().journal->setWaits(probing, {})));
    QCOMPARE(must(w().journal->waits()), told);
    QVERIFY(must(w().journal->setWaits(told, {})));
    QCOMPARE(must(w().journal->waits()), AccountWaits());
}

QTEST_GUILESS_MAIN(TestJournalWaits)
#include "tst_journalwaits.moc"
