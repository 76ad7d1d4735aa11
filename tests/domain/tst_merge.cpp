#include "models/domain/merge.h"

#include <QTest>

using namespace daybook;

namespace {

EntryFields fields(qint64 thousandths, const char *category, const char *note, int minute = 0)
{
    const auto value = DecimalValue::fromThousandths(thousandths);
    return {*value,
            {fromEpochMilliseconds(minute * 60000LL), {}},
            QString::fromLatin1(category),
            QString::fromLatin1(note)};
}

} // namespace

class TestMerge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergesFieldByField_data();
    void mergesFieldByField();
    void anotherOffsetIsNoChange();
};

void TestMerge::mergesFieldByField_data()
{
    QTest::addColumn<EntryFields>("mine");
    QTest::addColumn<EntryFields>("theirs");
    QTest::addColumn<EntryFields>("merged");
    QTest::addColumn<QList<EntryField>>("conflicts");
    const EntryFields base = fields(70000, "Weight", "");
    using List = QList<EntryField>;
    QTest::newRow("nobody") << base << base << base << List();
    QTest::newRow("only mine") << fields(71000, "Weight", "") << base << fields(71000, "Weight", "")
                               << List();
    QTest::newRow("only theirs") << base << fields(72000, "Weight", "") << fields(72000, "Weight", "")
                                 << List();
    QTest::newRow("different fields")
        << fields(71000, "Weight", "") << fields(70000, "Weight", "after a run", 5)
        << fields(71000, "Weight", "after a run", 5) << List();
    QTest::newRow("both the same") << fields(71000, "Weight", "") << fields(71000, "Weight", "")
                                   << fields(71000, "Weight", "") << List();
    QTest::newRow("both differently") << fields(71000, "Weight", "") << fields(72000, "Weight", "x")
                                      << fields(71000, "Weight", "x") << List{EntryField::Value};
    QTest::newRow("everything") << fields(1, "a", "b", 1) << fields(2, "c", "d", 2) << fields(1, "a", "b", 1)
                                << List{EntryField::Value, EntryField::RecordedAt, EntryField::Category,
                                        EntryField::Note};
}

void TestMerge::mergesFieldByField()
{
    QFETCH(EntryFields, mine);
    QFETCH(EntryFields, theirs);
    QFETCH(EntryFields, merged);
    QFETCH(QList<EntryField>, conflicts);
    const MergeOutcome outcome = mergeFields(fields(70000, "Weight", ""), mine, theirs);
    QCOMPARE(outcome.fields, merged);
    QCOMPARE(outcome.conflicts, conflicts);
    QCOMPARE(outcome.isClean(), conflicts.isEmpty());
}

void TestMerge::anotherOffsetIsNoChange()
{
    const EntryFields base = fields(70000, "", "");
    EntryFields mine = base;
    mine.recordedAt.utcOffset = std::chrono::minutes(540);
    EntryFields theirs = base;
    theirs.recordedAt.utcOffset = std::chrono::minutes(-60);
    const MergeOutcome outcome = mergeFields(base, mine, theirs);
    QVERIFY(outcome.isClean());
    QCOMPARE(outcome.fields, mine);
}

QTEST_GUILESS_MAIN(TestMerge)
#include "tst_merge.moc"
