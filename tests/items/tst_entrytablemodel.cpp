#include "models/items/entrytablemodel.h"

#include "tests/support/syntheticentries.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

namespace {

constexpr int million = 1'000'000;

/// A model with its source and every signal it may send; short lists are under Qt's tester, which looks at
/// every row on every signal.
struct Table
{
    explicit Table(int entries) : source(entries), model(source)
    {
        if (entries < million)
            tester.emplace(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        idAt(0); // as a view does when it paints
    }

    int rows() const { return model.rowCount(); }
    ClientEntryId idAt(int row) const
    {
        return model.index(row, 0).data(EntryTableModel::IdRole).value<ClientEntryId>();
    }
    QString textAt(int row, int column) const { return model.index(row, column).data().toString(); }
    void changed(const Entry &entry)
    {
        source.put(entry);
        model.entriesChanged({entry.id});
    }
    void gone(const ClientEntryId &id)
    {
        source.remove(id);
        model.entriesChanged({id});
    }
    /// What is shown equals what the source has, row by row.
    bool agreesWithSource(int first, int count) const
    {
        const auto expected = source.entriesFrom({}, first, count);
        for (int i = 0; i < count; ++i) {
            if (model.entry(first + i) != expected->at(i))
                return false;
        }
        return true;
    }

    SyntheticEntries source;
    EntryTableModel model;
    std::optional<QAbstractItemModelTester> tester;
    QSignalSpy inserted{&model, &QAbstractItemModel::rowsInserted};
    QSignalSpy removed{&model, &QAbstractItemModel::rowsRemoved};
    QSignalSpy moved{&model, &QAbstractItemModel::rowsMoved};
    QSignalSpy updated{&model, &QAbstractItemModel::dataChanged};
    QSignalSpy reset{&model, &QAbstractItemModel::modelReset};
};

Entry newEntry(int minutesAfterNewest)
{
    Entry entry = SyntheticEntries::entry(0);
    entry.id = ClientEntryId(QUuid::createUuid());
    entry.fields.recordedAt.instant += std::chrono::minutes(minutesAfterNewest);
    return entry;
}

} // namespace

class TestEntryTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        QLocale::setDefault(QLocale::c());
    }

    void showsAShortListWhole()
    {
        Table table(3);
        QCOMPARE(table.rows(), 3);
        QCOMPARE(table.textAt(1, EntryTableModel::Value), QStringLiteral("1"));
        QCOMPARE(table.textAt(1, EntryTableModel::Category), QStringLiteral("Weight (kg)"));
        QCOMPARE(table.textAt(1, EntryTableModel::Note), QStringLiteral("note 1"));
        QVERIFY(table.textAt(1, EntryTableModel::Time).contains(QStringLiteral("2026 07:59")));
        const auto status = table.model.index(1, 0).data(EntryTableModel::SyncStatusRole).value<SyncStatus>();
        QCOMPARE(status.state, SyncState::Waiting);
        const auto key = table.model.index(1, 0).data(EntryTableModel::KeyRole).value<EntryKey>();
        QVERIFY(key == keyOf(SyntheticEntries::entry(1)));
        QCOMPARE(table.source.counts, 0);
    }

    void showsTheFirstPageBeforeItCounts()
    {
        const SyntheticEntries source(million);
        EntryTableModel model(source);
        QSignalSpy inserted(&model, &QAbstractItemModel::rowsInserted);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        QCOMPARE(model.rowCount(), EntryWindow::pageSize);
        QVERIFY(model.findChildren<QTimer *>().size() > 0);
        for (const QTimer *timer : model.findChildren<QTimer *>())
            QVERIFY(!timer->isActive()); // nobody has looked yet
        QVERIFY(model.index(0, 0).data(EntryTableModel::IdRole).isValid());
        QCOMPARE(source.counts, 0);
        QTRY_COMPARE(model.rowCount(), million);
        QCOMPARE(source.counts, 1);
        QCOMPARE(inserted.size(), 1);
        QCOMPARE(reset.size(), 0);
    }

    void holdsAWindowHoweverFarOneScrolls()
    {
        Table table(million);
        QTRY_COMPARE(table.rows(), million);
        constexpr int window = EntryWindow::pageSize * EntryWindow::maximumPages;
        for (int row = 0; row < 50'000; ++row) {
            QCOMPARE(table.idAt(row), SyntheticEntries::idOf(row));
            QVERIFY(table.model.loadedRows() <= window);
        }
        QCOMPARE(table.source.jumps, 0); // page after page, each from the key above it
        QVERIFY(table.source.fetched <= 50'000 + 2 * EntryWindow::pageSize);

        for (const int row : {million - 1, million / 2, 0, million / 3})
            QCOMPARE(table.idAt(row), SyntheticEntries::idOf(row));
        QVERIFY(table.model.loadedRows() <= window);
        QVERIFY(table.source.fetched <= 50'000 + 6 * EntryWindow::pageSize);
    }

    void takesInANewEntryAtTheTop()
    {
        Table table(million);
        QTRY_COMPARE(table.rows(), million);
        table.inserted.clear();
        const QPersistentModelIndex kept = table.model.index(700'000, 0);
        const Entry added = newEntry(5);
        table.changed(added);
        QCOMPARE(table.rows(), million + 1);
        QCOMPARE(table.idAt(0), added.id);
        QCOMPARE(kept.row(), 700'001);
        QCOMPARE(table.inserted.size(), 1);
        QCOMPARE(table.reset.size(), 0);
        QVERIFY(table.agreesWithSource(690'000, 300));
    }

    void syncOnlyChangesJustUpdateRows()
    {
        Table table(1000);
        QTRY_COMPARE(table.rows(), 1000);
        table.inserted.clear();
        QList<ClientEntryId> ids;
        for (const int number : {0, 5, 6, 900}) { // 900 is not in memory
            Entry entry = SyntheticEntries::entry(number);
            entry.sync.state = SyncState::Synced;
            table.source.put(entry);
            ids << entry.id;
        }
        const int counts = table.source.counts;
        table.model.entriesChanged(ids);
        QCOMPARE(table.updated.size(), 3);
        QTRY_COMPARE(table.source.counts, counts + 1);
        QCOMPARE(table.inserted.size() + table.removed.size() + table.moved.size() + table.reset.size(), 0);
        QVERIFY(table.agreesWithSource(880, 60));
    }

    void anEditedTimeMovesTheRow_data()
    {
        QTest::addColumn<int>("number");
        QTest::addColumn<int>("minutesNewer");
        QTest::addColumn<int>("expectedRow");
        QTest::newRow("up to the top") << 40 << 100 << 0;
        QTest::newRow("up a little") << 40 << 2 << 38;
        QTest::newRow("down a little") << 40 << -20 << 59;
        QTest::newRow("nowhere") << 40 << 0 << 40;
        QTest::newRow("down to where nothing is in memory") << 40 << -5000 << 5039;
        QTest::newRow("down to the end") << 40 << -20'000 << 9999;
    }

    void anEditedTimeMovesTheRow()
    {
        QFETCH(int, number);
        QFETCH(int, minutesNewer);
        QFETCH(int, expectedRow);
        Table table(10'000);
        QTRY_COMPARE(table.rows(), 10'000);
        const QPersistentModelIndex selected = table.model.index(number, 0);
        Entry entry = SyntheticEntries::entry(number);
        entry.fields.recordedAt.instant += std::chrono::minutes(minutesNewer) + (minutesNewer ? 30s : 0s);
        table.changed(entry);
        QCOMPARE(selected.row(), expectedRow);
        QCOMPARE(table.idAt(expectedRow), entry.id);
        QCOMPARE(table.moved.size(), expectedRow == number ? 0 : 1);
        QCOMPARE(table.removed.size() + table.reset.size(), 0);
        QVERIFY(table.agreesWithSource(0, 10'000));
    }

    void movesOfOneBatchSurviveAFullWindow()
    {
        Table table(10'000);
        QTRY_COMPARE(table.rows(), 10'000);
        for (int page = 0; page < EntryWindow::maximumPages; ++page)
            table.idAt(page * EntryWindow::pageSize);
        QList<ClientEntryId> ids;
        for (const auto &[number, minutes] : {std::pair(2000, -4000), std::pair(200, -7000)}) {
            Entry entry = SyntheticEntries::entry(number);
            entry.fields.recordedAt.instant += std::chrono::minutes(minutes) + 30s;
            table.source.put(entry);
            ids << entry.id;
        }
        table.tester.reset(); // it reads rows, and so decides what is in memory
        const int counts = table.source.counts;
        table.model.entriesChanged(ids);
        QCOMPARE(table.idAt(0), SyntheticEntries::idOf(0));
        QTRY_COMPARE(table.source.counts, counts + 1);
        QVERIFY(table.agreesWithSource(0, 10'000));
        QCOMPARE(table.reset.size(), 0);
    }

    void aListenerMayReadWhileOthersChange()
    {
        Table table(10'000);
        QTRY_COMPARE(table.rows(), 10'000);
        for (int page = 0; page < EntryWindow::maximumPages; ++page)
            table.idAt(page * EntryWindow::pageSize);
        connect(&table.model, &QAbstractItemModel::dataChanged, this, [&table] { table.idAt(9000); });
        QList<ClientEntryId> ids;
        for (const int number : {1, 130, 4000}) { // the page of 130 is forgotten for that of 9000
            Entry entry = SyntheticEntries::entry(number);
            entry.sync.state = SyncState::Synced;
            table.source.put(entry);
            ids << entry.id;
        }
        table.model.entriesChanged(ids);
        QVERIFY(table.agreesWithSource(0, 5000));
    }

    void deletedRowsGoOneRunAtATime()
    {
        Table table(200);
        QTRY_COMPARE(table.rows(), 200);
        QCOMPARE(table.idAt(128), SyntheticEntries::idOf(128)); // the second page is in memory as well
        QList<ClientEntryId> ids;
        for (const int number : {10, 11, 12, 50, 127, 128}) {
            table.source.remove(SyntheticEntries::idOf(number));
            ids << SyntheticEntries::idOf(number);
        }
        table.model.entriesChanged(ids);
        QCOMPARE(table.rows(), 194);
        QCOMPARE(table.removed.size(), 3);
        QVERIFY(table.agreesWithSource(0, 194));
    }

    void changesAmongRowsNotInMemoryAreCounted()
    {
        Table table(million);
        QTRY_COMPARE(table.rows(), million);
        QCOMPARE(table.idAt(600'000), SyntheticEntries::idOf(600'000));
        const QPersistentModelIndex seen = table.model.index(600'000, 0);
        const QPersistentModelIndex unseen = table.model.index(300'000, 0);
        table.gone(SyntheticEntries::idOf(300'010));
        table.changed(newEntry(-900'000));
        table.gone(SyntheticEntries::idOf(200'000));
        table.gone(SyntheticEntries::idOf(999'999));
        table.gone(SyntheticEntries::idOf(999'998));
        QTRY_COMPARE(table.rows(), million - 3);
        QCOMPARE(table.idAt(seen.row()), SyntheticEntries::idOf(600'000));
        QVERIFY(!unseen.isValid() || table.idAt(unseen.row()) == SyntheticEntries::idOf(300'000));
        QVERIFY(table.agreesWithSource(0, 100));
        QVERIFY(table.agreesWithSource(299'900, 300));
        QVERIFY(table.agreesWithSource(599'900, 300));
        QVERIFY(table.agreesWithSource(million - 103, 100));
        QCOMPARE(table.reset.size(), 0);
    }

    void thousandsOfNewEntriesComeInFewSteps()
    {
        Table table(0);
        QCOMPARE(table.rows(), 0);
        QList<ClientEntryId> ids;
        for (int i = 0; i < 6000; ++i) {
            const Entry entry = newEntry(i);
            table.source.put(entry);
            ids << entry.id;
        }
        table.model.entriesChanged(ids);
        QTRY_COMPARE(table.rows(), 6000);
        QVERIFY(table.inserted.size() < 20);
        QVERIFY(table.model.loadedRows() <= 2 * EntryWindow::pageSize * EntryWindow::maximumPages);
        QVERIFY(table.agreesWithSource(0, 6000));
    }

    void equalTimesKeepTheirOrder()
    {
        Table table(10);
        for (int i = 0; i < 20; ++i) {
            Entry entry = newEntry(0);
            table.changed(entry);
        }
        QVERIFY(table.agreesWithSource(0, 30));
    }

    void refreshFindsWhatNobodyNamed()
    {
        Table table(500);
        QTRY_COMPARE(table.rows(), 500);
        const QPersistentModelIndex selected = table.model.index(20, 0);
        table.source.put(newEntry(3));
        table.source.remove(SyntheticEntries::idOf(4));
        table.source.put(newEntry(-400));
        table.updated.clear();
        const qint64 fetched = table.source.fetched;
        for (int i = 0; i < 5; ++i)
            table.model.refresh();
        QCOMPARE(table.source.fetched, fetched); // all of them are one, a little later
        QCOMPARE(table.idAt(selected.row()), SyntheticEntries::idOf(20));
        QTRY_COMPARE(table.rows(), 501);
        QVERIFY(table.agreesWithSource(0, 501));
        QCOMPARE(table.updated.size(), 0); // no row in memory has become another
        QCOMPARE(table.reset.size(), 0);
    }

    void anUnheardChangeIsNoticedWhileScrolling()
    {
        Table table(1000);
        QTRY_COMPARE(table.rows(), 1000);
        for (int number = 990; number < 1000; ++number)
            table.source.remove(SyntheticEntries::idOf(number));
        const QPersistentModelIndex selected = table.model.index(20, 0);
        QVERIFY(!table.model.entry(999));
        QTRY_COMPARE(table.rows(), 990);
        QCOMPARE(table.idAt(selected.row()), SyntheticEntries::idOf(20));
        QVERIFY(table.agreesWithSource(0, 990));
        QCOMPARE(table.reset.size(), 0);
    }

    void aFilterStartsAnew()
    {
        Table table(1000);
        QTRY_COMPARE(table.rows(), 1000);
        EntryFilter filter;
        filter.search = QStringLiteral("note");
        table.model.setFilter(filter);
        QCOMPARE(table.reset.size(), 1);
        QCOMPARE(table.rows(), EntryWindow::pageSize);
        QCOMPARE(table.idAt(0), SyntheticEntries::idOf(0));
        QTRY_COMPARE(table.rows(), 1000);
        table.model.setFilter(filter);
        QCOMPARE(table.reset.size(), 1);
    }

    void aFailingSourceIsReportedAndSurvived()
    {
        Table table(1000);
        QTRY_COMPARE(table.rows(), 1000);
        QSignalSpy failed(&table.model, &EntryTableModel::readFailed);
        table.source.failing = true;
        QVERIFY(!table.model.entry(900));
        QTRY_VERIFY(!failed.isEmpty());
        QCOMPARE(failed.first().first().value<Error>().kind, ErrorKind::StoreUnavailable);
        QTest::qWait(0);
        table.source.failing = false;
        table.changed(newEntry(1));
        QTRY_VERIFY(table.model.entry(900));
        QCOMPARE(table.rows(), 1001);
    }

    void theOffsetIsShownOnlyWhereItDiffersFromHere()
    {
        Table table(0);
        Entry entry = newEntry(0);
        entry.fields.recordedAt.utcOffset = 9h;
        table.changed(entry);
        QVERIFY(table.textAt(0, EntryTableModel::Time).contains(QStringLiteral("17:00")));
        QVERIFY(table.textAt(0, EntryTableModel::Time).contains(QStringLiteral("UTC+09:00")));
        entry.fields.recordedAt.utcOffset = 0h;
        table.changed(entry);
        QVERIFY(!table.textAt(0, EntryTableModel::Time).contains(QStringLiteral("UTC")));
    }
};

QTEST_GUILESS_MAIN(TestEntryTableModel)
#include "tst_entrytablemodel.moc"
