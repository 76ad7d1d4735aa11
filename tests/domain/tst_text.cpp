#include "models/domain/ids.h"
#include "models/domain/random.h"
#include "models/domain/text.h"

#include <QTest>

using namespace daybook;

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void checks_data();
    void checks();
    void readsIds_data();
    void readsIds();
    void idsAreVersion4AndRepeatable();
};

void TestText::checks_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::addColumn<QString>("cleaned");
    const QString emoji = QStringLiteral("\U0001F600");
    const auto row = [](const char *label, const QString &text, bool good, const QString &cleaned) {
        QTest::newRow(label) << text << good << cleaned;
    };
    row("empty", {}, true, {});
    row("four", QStringLiteral("abcd"), true, QStringLiteral("abcd"));
    row("five", QStringLiteral("abcde"), false, QStringLiteral("abcde"));
    row("four emoji are eight units", emoji.repeated(4), true, emoji.repeated(4));
    row("five emoji", emoji.repeated(5), false, emoji.repeated(5));
    row("line break and bell", QStringLiteral("a\n\a"), true, QStringLiteral("a\n\a"));
    row("right to left", QStringLiteral("\u05D0\u200F"), true, QStringLiteral("\u05D0\u200F"));
    row("zero", QStringLiteral("a") + QChar(0) + QStringLiteral("b"), false, QStringLiteral("ab"));
    row("lone high surrogate", QStringLiteral("a") + QChar(0xD83D), false, QStringLiteral("a"));
    row("lone low surrogate", QChar(0xDE00) + QStringLiteral("a"), false, QStringLiteral("a"));
    row("high before plain", QString(QChar(0xD83D)) + QLatin1Char('x'), false, QStringLiteral("x"));
}

void TestText::checks()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    QFETCH(QString, cleaned);
    const auto checked = checkText(text, 4, QLatin1StringView("note"));
    QCOMPARE(checked.ok(), good);
    if (!good) {
        QCOMPARE(checked.error().kind, ErrorKind::InvalidText);
        QVERIFY(checked.error().detail.contains(QStringLiteral("note")));
    }
    QCOMPARE(withoutUnstorable(text), cleaned);
}

void TestText::readsIds_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("good");
    QTest::newRow("canonical") << QStringLiteral("0190a4f2-7f2e-4c3a-9d1e-0123456789ab") << true;
    QTest::newRow("upper case") << QStringLiteral("0190A4F2-7F2E-4C3A-9D1E-0123456789AB") << true;
    QTest::newRow("braces") << QStringLiteral("{0190a4f2-7f2e-4c3a-9d1e-0123456789ab}") << false;
    QTest::newRow("nil") << QStringLiteral("00000000-0000-0000-0000-000000000000") << false;
    QTest::newRow("short") << QStringLiteral("0190a4f2-7f2e-4c3a-9d1e-0123456789a") << false;
    QTest::newRow("not hexadecimal") << QStringLiteral("0190a4f2-7f2e-4c3a-9d1e-0123456789ag") << false;
    QTest::newRow("dashes elsewhere") << QStringLiteral("0190a4f27-f2e-4c3a-9d1e-0123456789ab") << false;
    QTest::newRow("empty") << QString() << false;
}

void TestText::readsIds()
{
    QFETCH(QString, text);
    QFETCH(bool, good);
    const auto id = ClientEntryId::fromString(text);
    QCOMPARE(id.has_value(), good);
    if (good)
        QCOMPARE(id->toString(), text.toLower());
}

void TestText::idsAreVersion4AndRepeatable()
{
    SeededRandom first(7);
    SeededRandom second(7);
    const OperationId id = OperationId::random(first);
    QCOMPARE(id, OperationId::random(second));
    QVERIFY(id != OperationId::random(second));
    QCOMPARE(id.uuid().version(), QUuid::Random);
    QCOMPARE(id.uuid().variant(), QUuid::DCE);
    for (int i = 0; i < 1000; ++i) {
        const double unit = first.unit();
        QVERIFY(unit >= 0.0 && unit < 1.0);
    }
}

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
