#include "models/domain/recordedat.h"

#include <QTest>
#include <QTimeZone>

using namespace daybook;

class TestRecordedAt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reads_data();
    void reads();
    void refuses_data();
    void refuses();
    void keepsTheWallClock();
    void takesTheOffsetOfTheInstant();
};

void TestRecordedAt::reads_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("milliseconds");
    QTest::addColumn<int>("offsetMinutes");
    QTest::addColumn<QString>("written");
    const auto row = [](const char *text, qint64 milliseconds, int offset, const char *written) {
        QTest::newRow(text) << QByteArray(text) << milliseconds << offset << QString::fromLatin1(written);
    };
    row("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z");
    row("1970-01-01t00:00:00z", 0, 0, "1970-01-01T00:00:00Z");
    row("1970-01-01T09:00:00+09:00", 0, 540, "1970-01-01T09:00:00+09:00");
    row("1969-12-31T16:30:00-07:30", 0, -450, "1969-12-31T16:30:00-07:30");
    row("1970-01-01T00:00:00-00:00", 0, 0, "1970-01-01T00:00:00Z");
    row("2026-01-13T09:10:00+09:00", 1768263000000, 540, "2026-01-13T09:10:00+09:00");
    row("1970-01-01T00:00:00.5Z", 500, 0, "1970-01-01T00:00:00.500Z");
    row("1970-01-01T00:00:00.123999999Z", 123, 0, "1970-01-01T00:00:00.123Z");
    row("1969-12-31T23:59:59.999Z", -1, 0, "1969-12-31T23:59:59.999Z");
    row("2024-02-29T12:00:00Z", 1709208000000, 0, "2024-02-29T12:00:00Z");
    row("0001-01-01T00:00:00Z", -62135596800000, 0, "0001-01-01T00:00:00Z");
    row("9999-12-31T23:59:59.999Z", 253402300799999, 0, "9999-12-31T23:59:59.999Z");
    row("9999-12-31T23:59:59+23:59", 253402214459000, 1439, "9999-12-31T23:59:59+23:59");
}

void TestRecordedAt::reads()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, milliseconds);
    QFETCH(int, offsetMinutes);
    QFETCH(QString, written);
    const auto time = RecordedAt::fromRfc3339(text.toStdString());
    QVERIFY(time.ok());
    QCOMPARE(toEpochMilliseconds(time->instant), milliseconds);
    QCOMPARE(static_cast<int>(time->utcOffset.count()), offsetMinutes);
    QCOMPARE(time->toRfc3339(), written);
}

void TestRecordedAt::refuses_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"",
                             "2026-01-13",
                             "2026-01-13T09:10:00",
                             "2026-01-13 09:10:00Z",
                             "2026-01-13T09:10Z",
                             "2026-02-29T00:00:00Z",
                             "2026-13-01T00:00:00Z",
                             "2026-00-01T00:00:00Z",
                             "2026-01-32T00:00:00Z",
                             "2026-01-00T00:00:00Z",
                             "2026-01-13T24:00:00Z",
                             "2026-01-13T23:60:00Z",
                             "2016-12-31T23:59:60Z",
                             "2026-01-13T09:10:00+24:00",
                             "2026-01-13T09:10:00+09:60",
                             "2026-01-13T09:10:00+0900",
                             "2026-01-13T09:10:00.Z",
                             "2026-01-13T09:10:00.1234567890Z",
                             "2026-01-13T09:10:00,5Z",
                             "+026-01-13T09:10:00Z",
                             "0000-12-31T23:59:59Z",
                             "0001-01-01T00:00:00+00:01",
                             "9999-12-31T23:59:59-00:01",
                             "2026-01-13T09:10:00ZZ",
                             " 2026-01-13T09:10:00Z",
                             "20260113T091000Z",
                             "2026-1-13T09:10:00Z",
                             "yesterday"})
        QTest::newRow(text) << QByteArray(text);
}

void TestRecordedAt::refuses()
{
    QFETCH(QByteArray, text);
    const auto time = RecordedAt::fromRfc3339(text.toStdString());
    QVERIFY(!time.ok());
    QCOMPARE(time.error().kind, ErrorKind::InvalidTime);
}

void TestRecordedAt::keepsTheWallClock()
{
    const auto time = RecordedAt::fromRfc3339("2026-06-15T09:00:00+01:00");
    QVERIFY(time.ok());
    QCOMPARE(time->wallClock().time(), QTime(9, 0));
    QCOMPARE(time->wallClock().offsetFromUtc(), 3600);
}

void TestRecordedAt::takesTheOffsetOfTheInstant()
{
    // Summer time in summer and none in winter, whatever the season is now.
    const QByteArray before = qgetenv("TZ");
    qputenv("TZ", "Europe/London");
    tzset();
    const auto june = RecordedAt::fromRfc3339("2026-06-15T08:00:00Z");
    const auto january = RecordedAt::fromRfc3339("2026-01-15T09:00:00Z");
    QVERIFY(june.ok() && january.ok());
    const RecordedAt juneHere = recordedHere(june->instant);
    const RecordedAt januaryHere = recordedHere(january->instant);
    if (before.isNull())
        qunsetenv("TZ");
    else
        qputenv("TZ", before);
    tzset();
    QCOMPARE(juneHere.toRfc3339(), QStringLiteral("2026-06-15T09:00:00+01:00"));
    QCOMPARE(januaryHere.toRfc3339(), QStringLiteral("2026-01-15T09:00:00Z"));
}

QTEST_GUILESS_MAIN(TestRecordedAt)
#include "tst_recordedat.moc"
