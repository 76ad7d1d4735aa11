#include "tests/store/storeworld.h"

#include "sync/protocol/messages.h"

using namespace daybook;

/// Every order of what a person does and what the sender does. Each test ends with what `verify` says.
class TestIntentWriter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<StoreWorld>(); }
    void cleanup() { QCOMPARE(m_world->audited(), QString()); }

    void intents_data();
    void intents();
    void editThatChangesNothing();
    void editFromBeforeTheConfirmation();
    void editFromBeforeWhatIsConfirmedByNow();
    void savingUnchangedDecides_data();
    void savingUnchangedDecides();
    void savingUnchangedDecidesNothingUnseen();
    void mergedOperationHasNewIdAndBase();
    void deletingAnUnsentEntryKeepsItsPast();
    void historyKeepsEveryValue();
    void refusedCreateIsSentAsNew();
    void retriesOnlyWhatIsRefused();
    void discards_data();
    void discards();
    void discardWaitsForTheAnswer_data();
    void discardWaitsForTheAnswer();
    void discardKnowsWhatMayHaveArrived_data();
    void discardKnowsWhatMayHaveArrived();

private:
    StoreWorld &w() { return *m_world; }
    void play(const ClientEntryId &id, const QString &steps);

    std::unique_ptr<StoreWorld> m_world;
};

/// Steps: edit, delete, lease (due: once the wait is over), and how the attempt ends: ok, no-answer, busy,
/// refuse, conflict.
void TestIntentWriter::play(const ClientEntryId &id, const QString &steps)
{
    static constexpr std::chrono::seconds wait(10);
    Lease lease;
    qint64 version = 0;
    qint64 value = 100;
    for (const QString &step : steps.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto is = [&step](const char *name) { return step == QLatin1String(name); };
        if (is("edit"))
            must(w().edit(id, fieldsWith(++value)));
        else if (is("delete"))
            must(w().store->deleteEntries({id}));
        else if (is("lease"))
            lease = w().lease();
        else if (is("ok"))
            w().confirm(lease, serverHas(++version, must(w().store->entry(id)).fields,
                                         lease.operation.type == OperationType::DeleteEntry));
        else if (is("no-answer"))
            must(w().journal->recordRetry(lease, attemptEnd(AttemptResult::Unknown, clientcode::noReply),
                                          wait));
        else if (is("due")) {
            w().clock.advance(wait);
            lease = w().lease();
        } else if (is("busy"))
            must(w().journal->recordUncharged(lease, attemptEnd(AttemptResult::NotReachable)));
        else if (is("refuse"))
            must(w().journal->recordRefused(
                lease, attemptEnd(AttemptResult::Refused, QStringLiteral("VALIDATION_FAILED"))));
        else if (is("conflict"))
            must(w().journal->recordConflict(
                lease, attemptEnd(AttemptResult::Conflict, QStringLiteral("VERSION_CONFLICT")),
                serverHas(version += 5, fieldsWith(7))));
        else
            qFatal("unknown step %ls", qUtf16Printable(step));
        QCOMPARE(w().audited(), QString());
    }
}

void TestIntentWriter::intents_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("operations");
    QTest::addColumn<QString>("shown"); ///< value and badge; "gone" where there is no such entry
    const auto row = [](const char *steps, const char *operations, const char *shown) {
        QTest::newRow(steps) << QString::fromLatin1(steps) << QString::fromLatin1(operations)
                             << QString::fromLatin1(shown);
    };
    // Never left: one operation goes out, or none.
    row("edit", "C:superseded C:pending", "101 waiting");
    row("edit edit", "C:superseded C:superseded C:pending", "102 waiting");
    row("delete", "C:superseded", "gone");
    row("edit delete", "C:superseded C:superseded", "gone");
    row("lease ok edit", "C:done U:pending", "101 waiting");
    row("lease ok edit edit", "C:done U:superseded U:pending", "102 waiting");
    row("lease ok edit delete", "C:done U:superseded D:pending", "deleted waiting");
    row("lease ok delete", "C:done D:pending", "deleted waiting");
    // Being sent: frozen, the next stands behind it.
    row("lease edit", "C:sending U:pending", "101 sending");
    row("lease edit edit", "C:sending U:superseded U:pending", "102 sending");
    row("lease delete", "C:sending D:pending", "deleted sending");
    row("lease edit delete", "C:sending U:superseded D:pending", "deleted sending");
    row("lease ok edit lease edit", "C:done U:sending U:pending", "102 sending");
    row("lease ok edit lease delete", "C:done U:sending D:pending", "deleted sending");
    // Came back without an answer, or never got out: frozen all the same.
    row("lease no-answer edit", "C:retry_waiting U:pending", "101 unanswered");
    row("lease no-answer delete", "C:retry_waiting D:pending", "deleted unanswered");
    row("lease busy edit", "C:pending U:pending", "101 waiting");
    row("lease busy delete", "C:pending D:pending", "deleted waiting");
    // After the reply the next one goes.
    row("lease edit ok", "C:done U:pending", "101 waiting");
    row("lease edit ok lease ok", "C:done U:done", "101 synced");
    row("lease delete ok lease ok", "C:done D:done", "gone");
    row("lease edit ok edit", "C:done U:superseded U:pending", "102 waiting");
    // Refused or contested: one new operation decides about all.
    row("lease refuse", "C:permanent_failed", "100 attention");
    row("lease refuse edit", "C:superseded C:pending", "101 waiting");
    row("lease refuse delete", "C:superseded", "gone");
    row("lease edit refuse", "C:permanent_failed U:pending", "101 attention");
    row("lease edit refuse edit", "C:superseded U:superseded C:pending", "102 waiting");
    row("lease edit refuse delete", "C:superseded U:superseded", "gone");
    row("lease ok edit lease refuse edit", "C:done U:superseded U:pending", "102 waiting");
    row("lease ok edit lease refuse delete", "C:done U:superseded D:pending", "deleted waiting");
    row("lease ok delete lease refuse", "C:done D:permanent_failed", "deleted attention");
    row("lease ok edit lease conflict", "C:done U:conflict", "101 conflict");
    row("lease ok edit lease conflict edit", "C:done U:superseded U:pending", "102 waiting");
    row("lease ok edit lease conflict delete", "C:done U:superseded D:pending", "deleted waiting");
    row("lease ok edit lease edit conflict edit", "C:done U:superseded U:superseded U:pending",
        "103 waiting");
    row("lease conflict edit", "C:superseded U:pending", "101 waiting");
    // Refused, but an earlier attempt may have arrived: asked for once more before anything takes over.
    row("lease no-answer due refuse edit", "C:pending U:pending", "101 waiting");
    row("lease no-answer due refuse edit edit", "C:pending U:superseded U:pending", "102 waiting");
    row("lease no-answer due refuse delete", "C:pending D:pending", "deleted waiting");
    row("lease no-answer due refuse edit lease ok", "C:done U:pending", "101 waiting");
    row("lease no-answer due refuse edit lease refuse", "C:permanent_failed U:pending", "101 attention");
    row("lease no-answer due refuse edit lease refuse edit", "C:superseded U:superseded C:pending",
        "102 waiting");
    row("lease no-answer due refuse edit lease refuse delete", "C:superseded U:superseded D:pending",
        "deleted waiting");
    row("lease no-answer due refuse edit lease refuse edit delete",
        "C:superseded U:superseded C:superseded D:pending", "deleted waiting");
    row("lease no-answer due refuse edit lease refuse edit lease refuse edit",
        "C:superseded U:superseded C:superseded C:pending", "103 waiting");
    row("lease no-answer due conflict edit", "C:superseded U:pending", "101 waiting");
    row("lease ok edit lease no-answer due refuse edit", "C:done U:pending U:pending", "102 waiting");
}

void TestIntentWriter::intents()
{
    QFETCH(QString, steps);
    QFETCH(QString, operations);
    QFETCH(QString, shown);
    const ClientEntryId id = w().add(100);
    play(id, steps);
    QCOMPARE(w().operations(id), operations);

    const auto entry = w().store->entry(id);
    if (shown == QLatin1String("gone")) {
        QCOMPARE(entry.error().kind, ErrorKind::NotFound);
        return;
    }
    static const QHash<SyncState, QString> badges = {
        {SyncState::Synced, QStringLiteral("synced")},
        {SyncState::Waiting, QStringLiteral("waiting")},
        {SyncState::Sending, QStringLiteral("sending")},
        {SyncState::AwaitingReply, QStringLiteral("unanswered")},
        {SyncState::NeedsAttention, QStringLiteral("attention")},
        {SyncState::Conflict, QStringLiteral("conflict")},
    };
    const QString value = entry->deleted ? QStringLiteral("deleted") : entry->fields.value.toString();
    QCOMPARE(value + QLatin1Char(' ') + badges.value(entry->sync.state), shown);
}

void TestIntentWriter::editThatChangesNothing()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(70)));
    // Somebody wrote the same value while the editor was open.
    must(w().store->editEntry({id, fieldsWith(69), 1, fieldsWith(70)}));
    QCOMPARE(w().operations(id), QStringLiteral("C:done"));
    QVERIFY(w().history(id).isEmpty());
}

void TestIntentWriter::editFromBeforeTheConfirmation()
{
    const ClientEntryId id = w().add(70);
    const EntryEdit opened{id, fieldsWith(70), std::nullopt, fieldsWith(71)};
    w().confirm(w().lease(), serverHas(1, fieldsWith(70)));
    must(w().store->editEntry(opened));
    QCOMPARE(w().lastOperation(id).baseVersion, std::optional<qint64>(1));
}

void TestIntentWriter::editFromBeforeWhatIsConfirmedByNow()
{
    const ClientEntryId id = w().add(70);
    EntryEdit opened{id, fieldsWith(70), std::nullopt, fieldsWith(70, QStringLiteral("mine"))};
    must(w().edit(id, fieldsWith(71)));
    w().confirm(w().lease(), serverHas(1, fieldsWith(71)));
    must(w().store->editEntry(opened));
    const Lease lease = w().lease();
    QCOMPARE(lease.operation.baseVersion, std::optional<qint64>(0)); // which the server refuses
    must(w().journal->recordConflict(lease, attemptEnd(AttemptResult::Conflict),
                                     serverHas(1, fieldsWith(71))));
    QVERIFY(must(w().store->entry(id)).fields == fieldsWith(71, QStringLiteral("mine")));
    QCOMPARE(w().lastOperation(id).baseVersion, std::optional<qint64>(1));
}

void TestIntentWriter::savingUnchangedDecides_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("operations");
    QTest::newRow("refused create") << "lease refuse"
                                    << "C:superseded C:pending";
    QTest::newRow("refused edit") << "lease ok edit lease refuse"
                                  << "C:done U:superseded U:pending";
    QTest::newRow("conflict") << "lease ok edit lease conflict"
                              << "C:done U:superseded U:pending";
    QTest::newRow("unsent") << ""
                            << "C:pending";
    QTest::newRow("being sent") << "lease"
                                << "C:sending";
}
void TestIntentWriter::savingUnchangedDecides()
{
    QFETCH(QString, steps);
    const ClientEntryId id = w().add(100);
    play(id, steps);
    const EntryFields shown = must(w().store->entry(id)).fields;
    must(w().edit(id, shown));
    QTEST(w().operations(id), "operations");
    QVERIFY(must(w().store->entry(id)).fields == shown);
}

/// The form was opened before the answer came, so nobody has seen what it would overwrite.
void TestIntentWriter::savingUnchangedDecidesNothingUnseen()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(71)));
    const EntryEdit opened{id, fieldsWith(71), 1, fieldsWith(71)};
    must(w().journal->recordConflict(w().lease(), attemptEnd(AttemptResult::Conflict),
                                     serverHas(2, fieldsWith(72))));
    must(w().store->editEntry(opened));
    QCOMPARE(w().operations(id), QStringLiteral("C:done U:conflict"));
}

void TestIntentWriter::mergedOperationHasNewIdAndBase()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(71)));
    must(w().edit(id, fieldsWith(72)));
    const QList<Operation> operations = must(w().store->operations(id));
    QCOMPARE(operations.size(), 3);
    QCOMPARE(operations[1].supersededBy, std::optional(operations[2].id));
    QVERIFY(operations[1].id != operations[2].id);
    QCOMPARE(operations[2].baseVersion, std::optional<qint64>(1));
    QVERIFY(operations[2].base == fieldsWith(70));
    QCOMPARE(operations[2].payload, encodeUpdateEntry(fieldsWith(72)));
}

void TestIntentWriter::deletingAnUnsentEntryKeepsItsPast()
{
    const ClientEntryId id = w().add(70);
    must(w().store->deleteEntries({id}));
    QVERIFY(!w().lastOperation(id).supersededBy);
    QVERIFY(must(w().journal->lease(6, AttemptTrigger::Manual)).leases.isEmpty());
    QCOMPARE(w().history(id).size(), 1);
    QVERIFY(w().history(id).first().fields == fieldsWith(70));
    QCOMPARE(w().history(id).first().reason, HistoryReason::Deleted);
}

void TestIntentWriter::historyKeepsEveryValue()
{
    const ClientEntryId id = w().synced(70);
    must(w().edit(id, fieldsWith(71)));
    w().clock.advance(std::chrono::minutes(1));
    must(w().edit(id, fieldsWith(72)));
    must(w().store->deleteEntries({id}));
    const QList<PastEntry> past = w().history(id);
    QCOMPARE(past.size(), 3);
    QVERIFY(past[0].fields == fieldsWith(70) && past[1].fields == fieldsWith(71));
    QVERIFY(past[2].fields == fieldsWith(72));
    QCOMPARE(past[1].replacedAt - past[0].replacedAt, Milliseconds(60'000));
    QCOMPARE(past[0].version, std::optional<qint64>(1));
}

void TestIntentWriter::refusedCreateIsSentAsNew()
{
    const ClientEntryId id = w().add(70);
    play(id, QStringLiteral("lease refuse edit"));
    const QList<Operation> operations = must(w().store->operations(id));
    QCOMPARE(operations[0].supersededBy, std::optional(operations[1].id));
    QCOMPARE(operations[1].payload, encodeCreateEntry(id, fieldsWith(101)));
    QCOMPARE(w().lease().operation.id, operations[1].id);
}

void TestIntentWriter::retriesOnlyWhatIsRefused()
{
    const ClientEntryId id = w().add(70);
    const OperationId operation = w().lastOperation(id).id;
    QCOMPARE(w().store->retryChange(id).error().kind, ErrorKind::Stale);
    play(id, QStringLiteral("lease refuse"));
    must(w().store->retryChange(id));
    QCOMPARE(w().operations(id), QStringLiteral("C:pending"));
    QCOMPARE(must(w().store->entry(id)).sync, (SyncStatus{SyncState::Waiting, {}, {}}));
    const Lease again = w().lease();
    QCOMPARE(again.operation.id, operation);
    QCOMPARE(again.attemptNumber, 2);
    QCOMPARE(w().store->retryChange(ClientEntryId::random(w().random)).error().kind, ErrorKind::Stale);
}

void TestIntentWriter::discards_data()
{
    QTest::addColumn<QString>("steps");
    QTest::addColumn<QString>("operations");
    QTest::addColumn<qint64>("shown"); ///< 0: gone
    QTest::addColumn<qint64>("kept");
    const auto row = [](const char *steps, const char *operations, qint64 shown, qint64 kept) {
        QTest::newRow(steps) << QString::fromLatin1(steps) << QString::fromLatin1(operations) << shown
                             << kept;
    };
    row("", "C:discarded", 0, 100);
    row("lease busy", "C:discarded", 0, 100);
    row("lease refuse", "C:discarded", 0, 100);
    row("lease edit refuse", "C:discarded U:discarded", 0, 101);
    row("lease ok edit", "C:done U:discarded", 100, 101);
    row("lease ok edit lease refuse", "C:done U:discarded", 100, 101);
    row("lease ok edit lease edit refuse", "C:done U:discarded U:discarded", 100, 102);
    row("lease ok edit lease conflict", "C:done U:discarded", 7, 101);
    row("lease ok delete lease refuse", "C:done D:discarded", 100, 100);
    row("lease no-answer due conflict", "C:discarded", 7, 100);
    row("lease no-answer due refuse edit lease ok", "C:done U:discarded", 101, 100);
}

void TestIntentWriter::discards()
{
    QFETCH(QString, steps);
    QFETCH(QString, operations);
    QFETCH(qint64, shown);
    QFETCH(qint64, kept);
    const ClientEntryId id = w().add(100);
    play(id, steps);
    must(w().store->discardChange(id));
    QCOMPARE(w().operations(id), operations);
    QVERIFY(w().history(id).last().fields == fieldsWith(kept));
    if (shown == 0) {
        QCOMPARE(w().store->entry(id).error().kind, ErrorKind::NotFound);
    } else {
        const Entry entry = must(w().store->entry(id));
        QVERIFY(entry.fields == fieldsWith(shown));
        QVERIFY(!entry.deleted);
        QCOMPARE(entry.sync, (SyncStatus{SyncState::Synced, {}, {}}));
    }
    QCOMPARE(w().store->discardChange(id).error().kind, ErrorKind::Stale);
}

void TestIntentWriter::discardWaitsForTheAnswer_data()
{
    QTest::addColumn<QString>("steps");
    QTest::newRow("being sent") << QStringLiteral("lease");
    QTest::newRow("no answer") << QStringLiteral("lease no-answer");
    QTest::newRow("no answer, edited behind it") << QStringLiteral("lease no-answer edit");
    QTest::newRow("refused, after no answer") << QStringLiteral("lease no-answer due refuse");
    QTest::newRow("refused twice, after no answer")
        << QStringLiteral("lease no-answer due refuse edit lease refuse");
    QTest::newRow("sent as new, after no answer")
        << QStringLiteral("lease no-answer due refuse edit lease refuse edit");
}

void TestIntentWriter::discardWaitsForTheAnswer()
{
    QFETCH(QString, steps);
    const ClientEntryId id = w().add(100);
    play(id, steps);
    const QString before = w().operations(id);
    const auto discarded = w().store->discardChange(id);
    QCOMPARE(discarded.error().kind, ErrorKind::Stale);
    QVERIFY(discarded.error().detail.contains(QLatin1String("may have reached the server")));
    QCOMPARE(w().operations(id), before);
}

void TestIntentWriter::discardKnowsWhatMayHaveArrived_data()
{
    QTest::addColumn<AttemptResult>("result");
    QTest::addColumn<int>("status");
    QTest::addColumn<bool>("discardable");
    using enum AttemptResult;
    QTest::newRow("never got out") << NotReachable << 0 << true;
    QTest::newRow("session refused") << SessionRefused << 401 << true;
    QTest::newRow("rate limit") << NotNow << 429 << true;
    QTest::newRow("unavailable") << NotNow << 503 << true;
    QTest::newRow("gateway had no answer") << NotNow << 504 << false;
    QTest::newRow("gateway had a bad answer") << NotNow << 502 << false;
    QTest::newRow("server error") << ServerError << 500 << false;
    QTest::newRow("no answer") << Unknown << 0 << false;
    QTest::newRow("sign-in page") << Unexpected << 200 << false;
    QTest::newRow("program quit") << Aborted << 0 << false;
}
void TestIntentWriter::discardKnowsWhatMayHaveArrived()
{
    QFETCH(AttemptResult, result);
    QFETCH(int, status);
    QFETCH(bool, discardable);
    const ClientEntryId id = w().add(100);
    AttemptEnd end = attemptEnd(result);
    end.httpStatus = status;
    must(w().journal->recordRetry(w().lease(), end, std::chrono::seconds(0)));
    // What one attempt left open, a later one that never got out does not settle.
    must(w().journal->recordUncharged(w().lease(), attemptEnd(AttemptResult::NotReachable)));
    QCOMPARE(w().store->discardChange(id).ok(), discardable);
}

QTEST_GUILESS_MAIN(TestIntentWriter)
#include "tst_intentwriter.moc"
