#include "tests/store/storeworld.h"

#include "models/store/entrylist.h"

using namespace daybook;

class TestEntryList : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_world = std::make_unique<StoreWorld>();
        m_list = std::make_unique<EntryList>(*m_world->connection, m_world->account.id);
    }

    void pagesAreTheWholeList_data();
    void pagesAreTheWholeList();
    void filters_data();
    void filters();
    void readsById();
    void listsUsedCategories();
    void pagesComeFromAnIndex_data();
    void pagesComeFromAnIndex();

private:
    ClientEntryId add(qint64 value, const char *category, const char *note, int minutes)
    {
        return must(m_world->store->addEntry(fieldsWith(
            value, QString::fromUtf8(note), QString::fromUtf8(category), std::chrono::minutes(minutes))));
    }
    QList<qint64> values(const QList<Entry> &entries) const
    {
        QList<qint64> found;
        for (const Entry &entry : entries)
            found.append(entry.fields.value.thousandths() / 1000);
        return found;
    }

    std::unique_ptr<StoreWorld> m_world;
    std::unique_ptr<EntryList> m_list;
};

void TestEntryList::pagesAreTheWholeList_data()
{
    QTest::addColumn<int>("differentTimes");
    QTest::addColumn<int>("pageSize");
    QTest::newRow("all at one time") << 1 << 4;
    QTest::newRow("some at one time") << 5 << 4;
    QTest::newRow("each its own") << 23 << 4;
    QTest::newRow("one by one") << 5 << 1;
    QTest::newRow("one page") << 5 << 23;
}
void TestEntryList::pagesAreTheWholeList()
{
    QFETCH(int, differentTimes);
    QFETCH(int, pageSize);
    constexpr int entries = 23;
    for (int i = 0; i < entries; ++i)
        add(i, "", "", i % differentTimes);
    const QList<Entry> whole = must(m_list->entriesFrom({}, 0, 100));
    QCOMPARE(whole.size(), entries);
    QVERIFY(std::is_sorted(whole.begin(), whole.end(), [](const Entry &a, const Entry &b) {
        const Instant left = a.fields.recordedAt.instant;
        const Instant right = b.fields.recordedAt.instant;
        return left != right ? left > right : a.id < b.id;
    }));

    QList<Entry> paged;
    std::optional<EntryKey> after;
    for (;;) {
        const QList<Entry> page = must(m_list->entriesAfter({}, after, pageSize));
        if (page.isEmpty())
            break;
        const EntryKey first{page.first().fields.recordedAt.instant, page.first().id};
        QCOMPARE(must(m_list->entriesBefore({}, first)), paged.size());
        QCOMPARE(must(m_list->entriesFrom({}, paged.size(), pageSize)), page);
        paged += page;
        after = EntryKey{page.last().fields.recordedAt.instant, page.last().id};
    }
    QCOMPARE(paged, whole);
    QCOMPARE(must(m_list->entryCount({})), entries);
}

void TestEntryList::filters_data()
{
    using Sync = EntryFilter::Sync;
    QTest::addColumn<EntryFilter>("filter");
    QTest::addColumn<QList<qint64>>("expected");
    const auto row = [](const char *name, const EntryFilter &filter, const QList<qint64> &expected) {
        QTest::newRow(name) << filter << expected;
    };
    const auto text = [](const char *search) {
        return EntryFilter{Sync::All, QString::fromUtf8(search), {}};
    };
    row("all", {}, {5, 3, 2, 1});
    row("not synced", {Sync::NotSynced, {}, {}}, {5, 3, 2});
    // A deletion that was refused needs the person as well.
    row("needs attention", {Sync::NeedsAttention, {}, {}}, {4, 3});
    row("conflicts", {Sync::Conflicts, {}, {}}, {2});
    row("category", {Sync::All, {}, QStringLiteral("Weight")}, {3, 1});
    row("no category", {Sync::All, {}, QString()}, {5});
    row("category and chip", {Sync::NotSynced, {}, QStringLiteral("Weight")}, {3});
    row("search the note", text("run"), {1});
    row("search the category, other case", text("glu"), {2});
    row("search with chip", {Sync::NotSynced, QStringLiteral("e"), {}}, {3, 2});
    row("percent is a letter", text("100%"), {5});
    row("underscore is a letter", text("a_b"), {5});
    row("backslash is a letter", text("c\\d"), {5});
    row("percent alone", text("%"), {5});
    row("emoji", text("🍎"), {2});
    row("nothing", text("absent"), {});
}
void TestEntryList::filters()
{
    QFETCH(EntryFilter, filter);
    QFETCH(QList<qint64>, expected);
    StoreWorld &w = *m_world;
    const AttemptEnd refusal = attemptEnd(AttemptResult::Refused, QStringLiteral("VALIDATION_FAILED"));
    // 1 synced, 2 in conflict, 3 refused, 4 its deletion refused, 5 waiting
    const auto addSynced = [&](qint64 value, const char *category, const char *note, int minutes) {
        const ClientEntryId id = add(value, category, note, minutes);
        w.confirm(w.lease(), serverHas(1, must(w.store->entry(id)).fields));
        return id;
    };
    addSynced(1, "Weight", "after a run", 1);
    const ClientEntryId contested = addSynced(9, "Glucose", "an 🍎", 2);
    EntryFields mine = must(w.store->entry(contested)).fields;
    const EntryFields theirs = fieldsWith(8, mine.note, mine.category, std::chrono::minutes(2));
    mine.value = fieldsWith(2).value;
    must(w.edit(contested, mine));
    must(w.journal->recordConflict(w.lease(), attemptEnd(AttemptResult::Conflict), serverHas(2, theirs)));
    add(3, "Weight", "", 3);
    must(w.journal->recordRefused(w.lease(), refusal));
    const ClientEntryId deleted = addSynced(4, "Weight", "", 4);
    must(w.store->deleteEntries({deleted}));
    must(w.journal->recordRefused(w.lease(), refusal));
    add(5, "", "100% a_b c\\d", 5);

    QCOMPARE(values(must(m_list->entriesFrom(filter, 0, 100))), expected);
    QCOMPARE(values(must(m_list->entriesAfter(filter, EntryKey{Instant::max(), {}}, 100))), expected);
    QCOMPARE(must(m_list->entryCount(filter)), expected.size());
}

void TestEntryList::readsById()
{
    const QList<ClientEntryId> ids = {add(1, "Weight", "", 1), add(2, "Glucose", "", 2),
                                      add(3, "Weight", "", 3)};
    must(m_world->store->deleteEntries({ids[2]}));
    EntryFilter weight;
    weight.category = QStringLiteral("Weight");
    QCOMPARE(values(must(m_list->entriesById(weight, ids))), QList<qint64>{1});
    QCOMPARE(must(m_list->entriesById({}, ids)).size(), 2);
    QVERIFY(must(m_list->entriesById({}, {})).isEmpty());
}

void TestEntryList::listsUsedCategories()
{
    QVERIFY(must(m_list->categories(10)).isEmpty());
    add(1, "Weight", "", 1);
    add(2, "Glucose", "", 2);
    add(3, "Weight", "", 3);
    add(4, "", "", 4);
    add(5, "Meter", "", 0);
    must(m_world->store->deleteEntries({add(6, "Gone", "", 6)}));
    QCOMPARE(must(m_list->categories(10)),
             (QStringList{QStringLiteral("Weight"), QStringLiteral("Glucose"), QStringLiteral("Meter")}));
    QCOMPARE(must(m_list->categories(1)), QStringList{QStringLiteral("Weight")});
}

void TestEntryList::pagesComeFromAnIndex_data()
{
    using Sync = EntryFilter::Sync;
    QTest::addColumn<EntryFilter>("filter");
    QTest::addColumn<QString>("index");
    const QString category = QStringLiteral("Weight");
    QTest::newRow("all") << EntryFilter{} << "entries_shown";
    QTest::newRow("search") << EntryFilter{Sync::All, QStringLiteral("x"), {}} << "entries_shown";
    QTest::newRow("category") << EntryFilter{Sync::All, {}, category} << "entries_by_category";
    QTest::newRow("not synced") << EntryFilter{Sync::NotSynced, {}, {}} << "entries_not_synced";
    QTest::newRow("attention") << EntryFilter{Sync::NeedsAttention, {}, {}} << "entries_needing_attention";
    QTest::newRow("conflicts") << EntryFilter{Sync::Conflicts, {}, {}} << "entries_in_conflict";
}
void TestEntryList::pagesComeFromAnIndex()
{
    QFETCH(EntryFilter, filter);
    QFETCH(QString, index);
    const auto connection = must(Connection::open(m_world->path));
    const EntryList list(*connection, m_world->account.id);
    const QStringList before = connection->statements();
    must(list.entriesAfter(filter, EntryKey{m_world->clock.now(), {}}, 50));
    must(list.entriesFrom(filter, 0, 50));
    must(list.entryCount(filter));
    must(list.entriesBefore(filter, EntryKey{m_world->clock.now(), {}}));
    for (const QString &sql : connection->statements()) {
        if (before.contains(sql))
            continue;
        const QStringList plan = queryPlan(*connection, sql);
        // Two walks of at most a page each are sorted to be put together; no walk sorts what it walks over.
        const bool inTwoWalks = sql.contains(QLatin1String("UNION ALL"));
        QCOMPARE(plan.filter(QStringLiteral("TEMP B-TREE")).size(), inTwoWalks ? 2 : 0);
        const QStringList reads = plan.filter(QLatin1String(" entries"));
        QVERIFY(!reads.isEmpty());
        for (const QString &step : reads)
            QVERIFY2(step.startsWith(QLatin1String("SEARCH")) && step.contains(index),
                     qPrintable(sql + QLatin1Char('\n') + step));
    }
}

QTEST_GUILESS_MAIN(TestEntryList)
#include "tst_entrylist.moc"
