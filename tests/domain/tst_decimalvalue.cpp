#include "models/domain/decimalvalue.h"

#include <QTest>

#include <limits>

using namespace daybook;

class TestDecimalValue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsJsonNumbersExactly_data();
    void readsJsonNumbersExactly();
    void refusesJsonNumbers_data();
    void refusesJsonNumbers();
    void readsWhatPeopleType_data();
    void readsWhatPeopleType();
    void showsWhatCanBeReadAgain();
    void refusesThousandthsOutOfRange();
};

void TestDecimalValue::readsJsonNumbersExactly_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("thousandths");
    QTest::addColumn<QString>("written");
    const auto row = [](const char *text, qint64 thousandths, const char *written) {
        QTest::newRow(text) << QByteArray(text) << thousandths << QString::fromLatin1(written);
    };
    row("0", 0, "0");
    row("-0", 0, "0");
    row("-0.000", 0, "0");
    row("0e999999999999", 0, "0");
    row("0.1", 100, "0.1");
    row("0.07", 70, "0.07");
    row("1.00", 1000, "1");
    row("1.5e0", 1500, "1.5");
    row("1.50", 1500, "1.5");
    row("0.0015e3", 1500, "1.5");
    row("15E-1", 1500, "1.5");
    row("1e+2", 100000, "100");
    row("1.23400000000000000000000", 1234, "1.234");
    row("-12.345", -12345, "-12.345");
    row("999999999999.999", 999999999999999, "999999999999.999");
    row("-999999999999.999", -999999999999999, "-999999999999.999");
    row("0.000000000000999999999999999e24", 999999999999999, "999999999999.999");
}

void TestDecimalValue::readsJsonNumbersExactly()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, thousandths);
    QFETCH(QString, written);
    const auto value = DecimalValue::fromJsonNumber(text.toStdString());
    QVERIFY2(value.ok(), qPrintable(value.ok() ? QString() : value.error().detail));
    QCOMPARE(value->thousandths(), thousandths);
    QCOMPARE(value->toString(), written);
}

void TestDecimalValue::refusesJsonNumbers_data()
{
    QTest::addColumn<QByteArray>("text");
    for (const char *text : {"",
                             "-",
                             "+1",
                             "01",
                             "-01",
                             ".5",
                             "5.",
                             "1e",
                             "1e+",
                             "1.2.3",
                             "1,5",
                             "0x10",
                             "NaN",
                             "Infinity",
                             " 1",
                             "1 ",
                             "0.1234",
                             "0.1234567890123456789",
                             "100000000.00000001",
                             "1e-4",
                             "1000000000000",
                             "-1000000000000",
                             "999999999999.9991",
                             "9007199254740993",
                             "1e12",
                             "1e999999999999",
                             "1e-999999999999",
                             "--1",
                             "1-"})
        QTest::newRow(text) << QByteArray(text);
}

void TestDecimalValue::refusesJsonNumbers()
{
    QFETCH(QByteArray, text);
    const auto value = DecimalValue::fromJsonNumber(text.toStdString());
    QVERIFY(!value.ok());
    QCOMPARE(value.error().kind, ErrorKind::InvalidValue);
}

void TestDecimalValue::readsWhatPeopleType_data()
{
    QTest::addColumn<QLocale>("locale");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read"); // empty: refused
    const QLocale german(QLocale::German);
    const QLocale russian(QLocale::Russian);
    const QLocale english(QLocale::English, QLocale::UnitedStates);
    const QLocale arabic(QLocale::Arabic, QLocale::Egypt);
    const auto row = [](const char *name, const QLocale &locale, const QString &text, const char *read) {
        QTest::newRow(name) << locale << text << QString::fromLatin1(read);
    };
    row("german comma", german, QStringLiteral("93,5"), "93.5");
    row("german pasted point", german, QStringLiteral("93.5"), "93.5");
    row("german pasted two digits", german, QStringLiteral("93.55"), "93.55");
    row("german ambiguous", german, QStringLiteral("1.234"), "");
    row("german grouped", german, QStringLiteral("1.234.567,5"), "1234567.5");
    row("german grouped once with fraction", german, QStringLiteral("1.234,5"), "1234.5");
    row("german misplaced group", german, QStringLiteral("12.34.567"), "");
    row("russian comma", russian, QStringLiteral("93,5"), "93.5");
    row("russian pasted point", russian, QStringLiteral("93.5"), "93.5");
    row("russian grouped", russian, QStringLiteral("1\u00A0234,5"), "1234.5");
    row("english point", english, QStringLiteral("93.5"), "93.5");
    row("english grouped", english, QStringLiteral("1,234.5"), "1234.5");
    row("english comma as a decimal separator", english, QStringLiteral("93,5"), "");
    row("bare fraction", english, QStringLiteral(".5"), "0.5");
    row("bare point behind", english, QStringLiteral("5."), "5");
    row("leading zeros", english, QStringLiteral("007"), "7");
    row("spaces around", english, QStringLiteral("  7 "), "7");
    row("minus sign U+2212", english, QStringLiteral("\u22127.25"), "-7.25");
    row("minus zero", english, QStringLiteral("-0"), "0");
    row("arabic-indic digits", arabic, QStringLiteral("\u0661\u0662\u066B\u0665"), "12.5");
    row("four fraction digits", english, QStringLiteral("1.2345"), "");
    row("exponent", english, QStringLiteral("1e3"), "");
    row("word", english, QStringLiteral("twelve"), "");
    row("empty", english, QString(), "");
    row("point only", english, QStringLiteral("."), "");
    row("sign only", english, QStringLiteral("-"), "");
    row("beyond the limit", english, QStringLiteral("1000000000000"), "");
}

void TestDecimalValue::readsWhatPeopleType()
{
    QFETCH(QLocale, locale);
    QFETCH(QString, text);
    QFETCH(QString, read);
    const auto value = DecimalValue::fromUserText(text, locale);
    QCOMPARE(value.ok() ? value->toString() : QString(), read);
}

void TestDecimalValue::showsWhatCanBeReadAgain()
{
    for (const QLocale &locale :
         {QLocale(QLocale::German), QLocale(QLocale::Korean), QLocale(QLocale::Russian),
          QLocale(QLocale::Arabic, QLocale::Egypt), QLocale(QLocale::Swedish)}) {
        for (const qint64 thousandths : {0LL, 1LL, -1LL, 93500LL, -1234567LL, 999999999999999LL}) {
            const auto value = DecimalValue::fromThousandths(thousandths);
            QVERIFY(value.ok());
            const auto again = DecimalValue::fromUserText(value->toUserText(locale), locale);
            if (thousandths == -1234567LL && locale.language() == QLocale::German)
                QCOMPARE(value->toUserText(locale), QStringLiteral("-1234,567"));
            QVERIFY2(again.ok(), qPrintable(locale.name() + value->toUserText(locale)));
            QCOMPARE(again->thousandths(), thousandths);
        }
    }
}

void TestDecimalValue::refusesThousandthsOutOfRange()
{
    QVERIFY(DecimalValue::fromThousandths(DecimalValue::maximumThousandths).ok());
    QVERIFY(!DecimalValue::fromThousandths(DecimalValue::maximumThousandths + 1).ok());
    QVERIFY(!DecimalValue::fromThousandths(std::numeric_limits<qint64>::min()).ok());
}

QTEST_GUILESS_MAIN(TestDecimalValue)
#include "tst_decimalvalue.moc"
