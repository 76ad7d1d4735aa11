#include "tests/bench/statistics.h"

#include <QList>
#include <QTest>

using namespace daybook;

class TestStatistics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentile_data()
    {
        QTest::addColumn<QList<double>>("values");
        QTest::addColumn<double>("percent");
        QTest::addColumn<double>("expected");
        QList<double> hundred;
        for (int value = 100; value > 0; --value)
            hundred.append(value);
        QTest::newRow("nothing") << QList<double>() << 50.0 << 0.0;
        QTest::newRow("one") << QList<double>{7} << 99.0 << 7.0;
        QTest::newRow("odd") << QList<double>{3, 1, 2} << 50.0 << 2.0;
        QTest::newRow("even takes the lower") << QList<double>{4, 1, 3, 2} << 50.0 << 2.0;
        QTest::newRow("p95") << hundred << 95.0 << 95.0;
        QTest::newRow("p99") << hundred << 99.0 << 99.0;
        QTest::newRow("p99 of few is the worst") << QList<double>{1, 9, 2} << 99.0 << 9.0;
        QTest::newRow("least") << hundred << 0.0 << 1.0;
        QTest::newRow("most") << hundred << 100.0 << 100.0;
    }

    void percentile()
    {
        QFETCH(QList<double>, values);
        QFETCH(double, percent);
        Durations durations;
        for (const double value : values)
            durations.add(value);
        QTEST(durations.percentile(percent), "expected");
        QCOMPARE(durations.count(), int(values.size()));
    }

    void total()
    {
        Durations durations;
        QCOMPARE(durations.total(), 0.0);
        durations.add(1.5);
        durations.add(2.5);
        QCOMPARE(durations.total(), 4.0);
    }
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
