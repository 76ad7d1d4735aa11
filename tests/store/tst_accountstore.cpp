#include "tests/store/storeworld.h"

#include "sync/protocol/fingerprint.h"
#include "sync/protocol/messages.h"

#include <QSignalSpy>

using namespace daybook;

/// Each test ends with what `verify` says about the store.
class TestAccountStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_world = std::make_unique<StoreWorld>(); }
    void cleanup() { QCOMPARE(m_world->audited(), QString()); }

    void addsEntryAndOperationTogether();
    void keepsWhatWasTypedExactly_data();
    void keepsWhatWasTypedExactly();
    void refusesUnstorableText();
    void editOfWhatIsGone();
    void localOnlyAccountSendsNothing();
    void accountsDoNotSeeEachOther();
    void unwritableStoreSavesNothing_data();
    void unwritableStoreSavesNothing();
    void opensOnlyKnownAccounts();
    void tellsWhoListens();
    void deletesManyAtOnce();
    void deletesAsFarAsItCan();

private:
    StoreWorld &w() { return *m_world; }

    std::unique_ptr<StoreWorld> m_world;
};

void TestAccountStore::addsEntryAndOperationTogether()
{
    const EntryFields fields = fieldsWith(120, QStringLiteral("after lunch"), QStringLiteral("Glucose"));
    const ClientEntryId id = must(w().store->addEntry(fields));

    const Entry entry = must(w().store->entry(id));
    QVERIFY(entry.fields == fields);
    QVERIFY(!entry.deleted && !entry.server);
    QCOMPARE(entry.sync, (SyncStatus{SyncState::Waiting, {}, {}}));

    const QList<Operation> operations = must(w().store->operations(id));
    QCOMPARE(operations.size(), 1);
    const Operation &operation = operations.first();
    QCOMPARE(operation.type, OperationType::CreateEntry);
    QCOMPARE(operation.state, OperationState::Pending);
    QCOMPARE(operation.entryId, id);
    QCOMPARE(operation.payload, encodeCreateEntry(id, fields));
    QCOMPARE(operation.fingerprint, fingerprint(OperationType::CreateEntry, id, &fields));
    QCOMPARE(operation.payloadVersion, currentPayloadVersion);
    QCOMPARE(operation.createdAt, w().clock.now());
    QVERIFY(!operation.baseVersion && !operation.base && !operation.firstAttemptAt);
}

void TestAccountStore::keepsWhatWasTypedExactly_data()
{
    QTest::addColumn<qint64>("thousandths");
    QTest::addColumn<QString>("time");
    QTest::addColumn<QString>("text");
    QTest::newRow("largest") << DecimalValue::maximumThousandths << "9999-12-31T23:59:59.999Z"
                             << "x";
    QTest::newRow("smallest") << -DecimalValue::maximumThousandths << "0001-01-01T00:00:00Z"
                              << "";
    QTest::newRow("west") << qint64(1) << "2026-06-15T09:00:00.007-09:30"
                          << " spaces kept ";
    QTest::newRow("emoji, right to left, lines")
        << qint64(0) << "2026-01-13T09:10:00+09:00" << QString::fromUtf8("🍎\nשלום\t\"'%_\\");
    QTest::newRow("like a byte order mark")
        << qint64(1) << "2026-01-13T09:10:00Z" << QStringLiteral("\uFEFFab");
}
void TestAccountStore::keepsWhatWasTypedExactly()
{
    QFETCH(qint64, thousandths);
    QFETCH(QString, time);
    QFETCH(QString, text);
    const EntryFields fields{must(DecimalValue::fromThousandths(thousandths)),
                             must(RecordedAt::fromRfc3339(time.toStdString())), text, text};
    const ClientEntryId id = must(w().store->addEntry(fields));
    QVERIFY(must(w().store->entry(id)).fields == fields);
    w().confirm(w().lease(), serverHas(1, fields));
    QVERIFY(must(w().store->entry(id)).server == serverHas(1, fields));
    EntryFields edited = fields;
    edited.note += QLatin1Char('!');
    must(w().edit(id, edited));
    QVERIFY(w().lastOperation(id).base == fields);
}

void TestAccountStore::refusesUnstorableText()
{
    EntryFields fields = fieldsWith(1);
    fields.note = QString(QChar(0));
    QCOMPARE(w().store->addEntry(fields).error().kind, ErrorKind::InvalidText);
    const ClientEntryId id = w().add(1);
    QCOMPARE(w().edit(id, fields).error().kind, ErrorKind::InvalidText);
    QCOMPARE(must(w().store->entryCount({})), 1);
    QCOMPARE(w().operations(id), QStringLiteral("C:pending"));
}

void TestAccountStore::editOfWhatIsGone()
{
    const ClientEntryId id = w().synced(70);
    must(w().store->deleteEntries({id}));
    QCOMPARE(w().edit(id, fieldsWith(71)).error().kind, ErrorKind::NotFound);
    QCOMPARE(w().store->deleteEntries({id}).error().kind, ErrorKind::NotFound);
    QCOMPARE(w().store->deleteEntries({ClientEntryId::random(w().random)}).error().kind, ErrorKind::NotFound);
}

void TestAccountStore::localOnlyAccountSendsNothing()
{
    const Account local = must(AccountRepository(*w().connection).localOnly());
    const auto store = must(AccountStore::open(w().path, local.id, w().clock, w().random));
    QSignalSpy queued(store.get(), &AccountStore::operationQueued);
    QSignalSpy changed(store.get(), &AccountStore::entriesChanged);
    const ClientEntryId id = must(store->addEntry(fieldsWith(1)));
    must(store->editEntry({id, fieldsWith(1), {}, fieldsWith(2)}));
    QCOMPARE(must(store->entry(id)).sync.state, SyncState::LocalOnly);
    QVERIFY(must(store->operations(id)).isEmpty());
    must(store->deleteEntries({id}));
    QCOMPARE(store->entry(id).error().kind, ErrorKind::NotFound);
    QCOMPARE(historyOf(*w().connection, local.id, id).size(), 2);
    QCOMPARE(store->discardChange(id).error().kind, ErrorKind::Stale);
    QCOMPARE(changed.size(), 3);
    QVERIFY(queued.isEmpty());
}

void TestAccountStore::accountsDoNotSeeEachOther()
{
    const ClientEntryId id = w().add(70);
    const Account other = w().signIn(QStringLiteral("b-2"));
    const auto store = must(AccountStore::open(w().path, other.id, w().clock, w().random));
    QCOMPARE(must(store->entryCount({})), 0);
    QCOMPARE(store->entry(id).error().kind, ErrorKind::NotFound);
    QCOMPARE(store->deleteEntries({id}).error().kind, ErrorKind::NotFound);
    QCOMPARE(store->retryChange(id).error().kind, ErrorKind::Stale);
    QVERIFY(must(store->operations(id)).isEmpty());
    QCOMPARE(must(store->queueSummary()), QueueSummary());
    const auto journal =
        must(SyncJournal::open(w().path, other.id, QStringLiteral("x"), w().clock, w().random));
    QVERIFY(must(journal->lease(6, AttemptTrigger::Start)).leases.isEmpty());
}

void TestAccountStore::unwritableStoreSavesNothing_data()
{
    QTest::addColumn<QString>("trigger");
    QTest::newRow("entry refused") << QStringLiteral("BEFORE INSERT ON entries");
    QTest::newRow("operation refused") << QStringLiteral("BEFORE INSERT ON offline_operations");
}
void TestAccountStore::unwritableStoreSavesNothing()
{
    QFETCH(QString, trigger);
    must(execute(*w().connection, QStringLiteral("CREATE TRIGGER no_room %1 BEGIN "
                                                 "SELECT raise(ABORT, 'no'); END")
                                      .arg(trigger)));
    QSignalSpy changed(w().store.get(), &AccountStore::entriesChanged);
    QVERIFY(!w().store->addEntry(fieldsWith(1)).ok());
    QVERIFY(changed.isEmpty());
    QCOMPARE(w().number(QStringLiteral("SELECT count(*) FROM entries")), 0);
    QCOMPARE(w().number(QStringLiteral("SELECT count(*) FROM offline_operations")), 0);
    must(execute(*w().connection, QStringLiteral("DROP TRIGGER no_room")));
    QVERIFY(w().store->addEntry(fieldsWith(1)).ok());
}

void TestAccountStore::opensOnlyKnownAccounts()
{
    QCOMPARE(AccountStore::open(w().path, AccountId(77), w().clock, w().random).error().kind,
             ErrorKind::NotFound);
}

void TestAccountStore::tellsWhoListens()
{
    QSignalSpy changed(w().store.get(), &AccountStore::entriesChanged);
    QSignalSpy queued(w().store.get(), &AccountStore::operationQueued);
    const ClientEntryId id = w().add(1);
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().first().value<QList<ClientEntryId>>(), QList<ClientEntryId>{id});
    QCOMPARE(queued.size(), 1);
}

void TestAccountStore::deletesManyAtOnce()
{
    QList<ClientEntryId> ids;
    for (int i = 0; i < 120; ++i) // more than one transaction takes
        ids.append(w().add(i));
    const ClientEntryId kept = w().add(1);
    must(w().store->deleteEntries({ids[7]}));
    QSignalSpy changed(w().store.get(), &AccountStore::entriesChanged);
    QSignalSpy queued(w().store.get(), &AccountStore::operationQueued);
    must(w().store->deleteEntries(ids)); // one of them is gone already
    QCOMPARE(must(w().store->entryCount({})), 1);
    QVERIFY(w().store->entry(kept).ok());
    QCOMPARE(changed.size(), 1);
    QCOMPARE(changed.first().first().value<QList<ClientEntryId>>(), ids);
    QCOMPARE(queued.size(), 1);
    must(w().store->deleteEntries({}));
    QCOMPARE(changed.size(), 1);
}

void TestAccountStore::deletesAsFarAsItCan()
{
    QList<ClientEntryId> ids;
    for (int i = 0; i < 60; ++i)
        ids.append(w().add(i));
    must(execute(*w().connection,
                 QStringLiteral("CREATE TRIGGER no_room BEFORE INSERT ON entry_history WHEN new.local_id = "
                                "x'%1' BEGIN SELECT raise(ABORT, 'no'); END")
                     .arg(QString::fromLatin1(ids.last().uuid().toRfc4122().toHex()))));
    QSignalSpy changed(w().store.get(), &AccountStore::entriesChanged);
    QVERIFY(!w().store->deleteEntries(ids).ok());
    QCOMPARE(changed.size(), 1);
    const auto deleted = changed.first().first().value<QList<ClientEntryId>>();
    QVERIFY(!deleted.isEmpty());
    QCOMPARE(must(w().store->entryCount({})), ids.size() - deleted.size()); // a transaction is whole or not
}

QTEST_GUILESS_MAIN(TestAccountStore)
#include "tst_accountstore.moc"
