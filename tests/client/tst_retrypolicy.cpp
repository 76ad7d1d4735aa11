#include "sync/client/retryafter.h"
#include "sync/client/retrypolicy.h"

#include <QTest>

#include <algorithm>

using namespace daybook;

namespace {

/// Random bits that are all the same: the ends of a range.
class FixedRandom final : public Random
{
public:
    explicit FixedRandom(quint64 bits) : m_bits(bits) {}
    quint64 bits() override { return m_bits; }

private:
    quint64 m_bits;
};

} // namespace

class TestRetryPolicy : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operationWaits_data();
    void operationWaits();
    void probeWaits_data();
    void probeWaits();
    void blockedWaits();
    void waitsSpread();
    void httpDates_data();
    void httpDates();
};

void TestRetryPolicy::operationWaits_data()
{
    QTest::addColumn<int>("attempts");
    QTest::addColumn<qint64>("longest");
    const QList<qint64> seconds = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3600, 3600};
    for (int i = 0; i < seconds.size(); ++i)
        QTest::addRow("attempt %d", i + 1) << i + 1 << seconds[i] * 1000;
    QTest::newRow("none yet") << 0 << qint64(1000);
    QTest::newRow("a million") << 1'000'000 << qint64(3'600'000);
}

void TestRetryPolicy::operationWaits()
{
    QFETCH(const int, attempts);
    QFETCH(const qint64, longest);
    FixedRandom lowest(0);
    FixedRandom highest(~quint64(0));
    QCOMPARE(operationWait(attempts, lowest).count(), 0);
    QCOMPARE(operationWait(attempts, highest).count(), longest);
}

void TestRetryPolicy::probeWaits_data()
{
    QTest::addColumn<int>("step");
    QTest::addColumn<qint64>("longest");
    const QList<qint64> seconds = {1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300};
    for (int i = 0; i < seconds.size(); ++i)
        QTest::addRow("step %d", i + 1) << i + 1 << seconds[i] * 1000;
    QTest::newRow("a million") << 1'000'000 << qint64(300'000);
}

void TestRetryPolicy::probeWaits()
{
    QFETCH(const int, step);
    QFETCH(const qint64, longest);
    FixedRandom lowest(0);
    FixedRandom highest(~quint64(0));
    QCOMPARE(probeWait(step, lowest).count(), longest / 2);
    QCOMPARE(probeWait(step, highest).count(), longest);
}

void TestRetryPolicy::blockedWaits()
{
    FixedRandom lowest(0);
    FixedRandom highest(~quint64(0));
    for (const Milliseconds asked : {Milliseconds(1000), Milliseconds(90'000), maximumRetryAfter}) {
        QCOMPARE(blockedWait(asked, lowest), asked);
        QCOMPARE(blockedWait(asked, highest), asked + asked / 10);
    }
}

void TestRetryPolicy::waitsSpread()
{
    SeededRandom random(1);
    QList<qint64> waits;
    for (int i = 0; i < 1000; ++i)
        waits.append(operationWait(11, random).count());
    const qint64 longest = 1'024'000;
    for (int quarter = 0; quarter < 4; ++quarter) {
        const auto share = std::count_if(waits.begin(), waits.end(), [&](qint64 wait) {
            return wait >= longest / 4 * quarter && wait <= longest / 4 * (quarter + 1);
        });
        QVERIFY2(share > 200 && share < 300, qPrintable(QString::number(share)));
    }
}

void TestRetryPolicy::httpDates_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("iso"); // empty: no date
    const QString sunday = QStringLiteral("1994-11-06T08:49:37Z");
    QTest::newRow("current form") << QByteArray("Sun, 06 Nov 1994 08:49:37 GMT") << sunday;
    QTest::newRow("RFC 850") << QByteArray("Sunday, 06-Nov-94 08:49:37 GMT") << sunday;
    QTest::newRow("asctime") << QByteArray("Sun Nov  6 08:49:37 1994") << sunday;
    QTest::newRow("RFC 850, ahead") << QByteArray("Monday, 06-Nov-75 08:49:37 GMT")
                                    << QStringLiteral("2075-11-06T08:49:37Z");
    QTest::newRow("RFC 850, over 50 years ahead")
        << QByteArray("Sunday, 06-Nov-77 08:49:37 GMT") << QStringLiteral("1977-11-06T08:49:37Z");
    QTest::newRow("leap day") << QByteArray("Thu, 29 Feb 2024 00:00:00 GMT")
                              << QStringLiteral("2024-02-29T00:00:00Z");
    for (const char *nonsense :
         {"", "now", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 1994 08:49:37",
          "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Now 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
          "Sun, xx Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT", "1994-11-06T08:49:37Z"})
        QTest::newRow(nonsense) << QByteArray(nonsense) << QString();
}

void TestRetryPolicy::httpDates()
{
    QFETCH(const QByteArray, text);
    QFETCH(const QString, iso);
    const Instant now = fromEpochMilliseconds(1'768'291'200'000); // 2026
    const auto date = fromHttpDate(text, now);
    QCOMPARE(date ? toUtcDateTime(*date).toString(Qt::ISODate) : QString(), iso);
}

QTEST_APPLESS_MAIN(TestRetryPolicy)
#include "tst_retrypolicy.moc"
