#include "sync/protocol/jsonreader.h"

#include <QTest>

using namespace daybook;
using namespace Qt::StringLiterals;

namespace {

QByteArray nested(int depth) { return QByteArray(depth, '[') + QByteArray(depth, ']'); }

const JsonObject &members(const JsonValue &value) { return std::get<JsonObject>(value.content); }

} // namespace

class TestJsonReader : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesWhatIsNotStrictJson_data();
    void refusesWhatIsNotStrictJson();
    void takesStrictJson_data();
    void takesStrictJson();
    void keepsTheDigitsOfNumbers_data();
    void keepsTheDigitsOfNumbers();
    void readsTexts_data();
    void readsTexts();
    void keepsStructure();
    void namesTheDuplicate();
    void pointsAtAnExponentBeyondUse();
    void longTextsAndNamesArriveWhole();
};

void TestJsonReader::refusesWhatIsNotStrictJson_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, const QByteArray &text) { QTest::newRow(name) << text; };
    row("nothing", "");
    row("only white space", " \r\n\t");
    row("byte order mark", "\xEF\xBB\xBF{}");
    row("UTF-16", QByteArray("\xFF\xFE{\0}\0", 6));
    row("text behind", "{} x");
    row("second value behind", "{}{}");
    row("comma behind", "{},");
    row("NUL behind", QByteArray("{}\0", 3));
    row("form feed as white space", "\f{}");
    row("no-break space as white space", "\xC2\xA0{}");
    row("cut object", R"({"a":1)");
    row("cut name", R"({"a)");
    row("cut number", "-");
    row("cut literal", "tru");
    row("wrong bracket", "[}");
    row("no colon", R"({"a" 1})");
    row("no comma", "[1 2]");
    row("trailing comma in an object", R"({"a":1,})");
    row("trailing comma in an array", "[1,]");
    row("leading comma", "[,1]");
    row("name without quotes", "{a:1}");
    row("single quotes", "{'a':1}");
    row("comment", "/* */{}");
    row("line comment", "{} // x");
    row("NaN", "NaN");
    row("nan in an object", R"({"value":nan})");
    row("Infinity", "[Infinity]");
    row("negative Infinity", "[-Infinity]");
    row("upper case literal", "TRUE");
    row("undefined", "undefined");
    row("leading zero", "01");
    row("leading zeros", "[00.5]");
    row("negative leading zero", "-01");
    row("plus", "+1");
    row("no digit before the point", ".5");
    row("no digit behind the point", "1.");
    row("no digit between point and e", "1.e1");
    row("no exponent digits", "1e");
    row("sign without exponent digits", "1e+");
    row("hexadecimal", "0x10");
    row("group separators", "1,000");
    row("digits of another script", "\xD9\xA1");
    row("raw line break in a text", "\"a\nb\"");
    row("raw tab in a text", "\"a\tb\"");
    row("raw NUL in a text", QByteArray("\"a\0b\"", 5));
    row("unknown escape", R"("\x41")");
    row("cut escape", R"("\u12")");
    row("escape that is no hex", R"("\u12G4")");
    row("lone high surrogate", R"("\uD800")");
    row("lone high surrogate with text behind", R"("\uD800 and much more")");
    row("lone low surrogate", R"("\uDC00")");
    row("lone low surrogate with text behind", R"("\uDC00 and much more")");
    row("high surrogate twice", R"("\uD83D\uD83D\uDE00")");
    row("surrogates in the wrong order", R"("\uDE00\uD83D")");
    row("high surrogate before another escape", R"("\uD800\n and much more")");
    row("lone surrogate in a name", R"({"\uD800":1})");
    row("surrogate in UTF-8", "\"\xED\xA0\x80\"");
    row("overlong UTF-8", "\"\xC0\xAF\"");
    row("overlong NUL", "\"\xC0\x80\"");
    row("beyond Unicode", "\"\xF4\x90\x80\x80\"");
    row("stray continuation byte", "\"\x80\"");
    row("cut UTF-8", "\"\xE6\x97\"");
    row("Latin-1", "\"Gr\xF6\xDF"
                   "e\"");
    row("invalid UTF-8 in a name", "{\"\xFF\":1}");
    row("member twice", R"({"a":1,"a":2})");
    row("member twice with the same value", R"({"a":1,"b":0,"a":1})");
    row("member twice, once escaped", R"({"a":1,"\u0061":2})");
    row("member twice deep inside", R"({"a":[{"b":{"c":1,"c":2}}]})");
    row("empty name twice", R"({"":1,"":2})");
    row("too deep", nested(maximumJsonDepth + 1));
    row("much too deep", nested(100'000));
    row("too deep in objects", QByteArray(R"({"a":)").repeated(33) + '1' + QByteArray(33, '}'));
    row("too deep, never closed", QByteArray(100'000, '['));
}

void TestJsonReader::refusesWhatIsNotStrictJson()
{
    QFETCH(QByteArray, text);
    const auto read = readJson(text);
    const auto *problem = std::get_if<Problem>(&read);
    QVERIFY(problem);
    QCOMPARE(problem->code, ProblemCode::MalformedJson);
    QCOMPARE(problem->status(), 400);
    QVERIFY(!problem->detail.isEmpty());
}

void TestJsonReader::takesStrictJson_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *name, const QByteArray &text) { QTest::newRow(name) << text; };
    row("null", "null");
    row("white space around", " \r\n\t{ } \n");
    row("empty array", "[]");
    row("empty name", R"({"":1})");
    row("same name at two levels", R"({"a":{"a":1},"b":{"a":1}})");
    row("names that differ in case", R"({"a":1,"A":2})");
    row("as deep as allowed", nested(maximumJsonDepth));
    row("many neighbours", '[' + QByteArray("[],").repeated(1000) + "[]]");
}

void TestJsonReader::takesStrictJson()
{
    QFETCH(QByteArray, text);
    QVERIFY(std::holds_alternative<JsonValue>(readJson(text)));
}

void TestJsonReader::keepsTheDigitsOfNumbers_data()
{
    QTest::addColumn<QByteArray>("number");
    for (const char *number : {"0",
                               "-0",
                               "-0.0",
                               "1",
                               "-12.5",
                               "1.50e1",
                               "1E+2",
                               "0e0",
                               "1e-400",
                               "1e400",
                               "123456789012345678",
                               "9223372036854775807",
                               "9223372036854775808",
                               "18446744073709551616",
                               "-9223372036854775809",
                               "999999999999.999",
                               "0.1000000000000000055511151231257827",
                               "123456789012345678901234567890.123456789",
                               "0.000000000000000000000000000000000000001",
                               "1e2147483647"})
        QTest::newRow(number) << QByteArray(number);
    QTest::newRow("long") << QByteArray(20'000, '7') + '.' + QByteArray(20'000, '3');
}

void TestJsonReader::keepsTheDigitsOfNumbers()
{
    QFETCH(QByteArray, number);
    // At the end of the text, behind a member and amid others the parser takes different paths.
    for (const QByteArray &text :
         {number, R"({"a":)" + number + '}', '[' + number + " , 1, 2, 3, 4, 5, 6, 7, 8, 9]"}) {
        const auto read = readJson(text);
        const auto *value = std::get_if<JsonValue>(&read);
        QVERIFY2(value, text.constData());
        if (const auto *object = std::get_if<JsonObject>(&value->content))
            value = &object->front().value;
        else if (const auto *array = std::get_if<JsonArray>(&value->content))
            value = &array->front();
        QCOMPARE(QByteArray::fromStdString(std::get<JsonNumber>(value->content).text), number);
    }
}

void TestJsonReader::readsTexts_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("expected");
    QTest::newRow("empty") << QByteArray(R"("")") << QString();
    QTest::newRow("escapes") << QByteArray(R"("\"\\\/\b\f\n\r\t\u00e9")") << u"\"\\/\b\f\n\r\té"_s;
    QTest::newRow("escaped NUL") << QByteArray(R"("a\u0000b")") << QString(u"a\0b"_s);
    QTest::newRow("escaped pair") << QByteArray(R"("\uD83D\uDE00")") << u"😀"_s;
    QTest::newRow("escaped pair, text behind") << QByteArray(R"("\ud83d\ude00 and more")") << u"😀 and more"_s;
    QTest::newRow("plain") << QByteArray("\"日本語😀\"") << u"日本語😀"_s;
    QTest::newRow("last code point") << QByteArray("\"\xF4\x8F\xBF\xBF\"")
                                     << QString::fromUcs4(U"\U0010FFFF", 1);
    QTest::newRow("noncharacter") << QByteArray("\"\xEF\xBF\xBE\"") << QString(QChar(0xFFFE));
    QTest::newRow("zero width no-break space, escaped") << QByteArray(R"("\uFEFFa")") << u"\uFEFFa"_s;
    QTest::newRow("zero width no-break space, plain")
        << QByteArray("\"\xEF\xBB\xBF\xEF\xBB\xBF\"") << u"\uFEFF\uFEFF"_s;
    QTest::newRow("delete character") << QByteArray("\"\x7F\"") << QString(QChar(0x7F));
}

void TestJsonReader::readsTexts()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, expected);
    const auto read = readJson(text);
    const auto *value = std::get_if<JsonValue>(&read);
    QVERIFY(value);
    QCOMPARE(std::get<QString>(value->content), expected);
}

void TestJsonReader::keepsStructure()
{
    const auto read = readJson(R"({"z":null,"a":[true,{"b":"x"},[]],"\uFEFFm":{}})");
    const auto *value = std::get_if<JsonValue>(&read);
    QVERIFY(value);
    const JsonObject &object = members(*value);
    QCOMPARE(object.size(), size_t(3));
    QCOMPARE(object[0].name, u"z"_s);
    QVERIFY(object[0].value.isNull());
    const auto &array = std::get<JsonArray>(object[1].value.content);
    QCOMPARE(array.size(), size_t(3));
    QCOMPARE(std::get<bool>(array[0].content), true);
    QCOMPARE(std::get<QString>(members(array[1]).front().value.content), u"x"_s);
    QVERIFY(std::get<JsonArray>(array[2].content).empty());
    QCOMPARE(object[2].name, u"\uFEFFm"_s);
    QVERIFY(members(object[2].value).empty());
}

void TestJsonReader::namesTheDuplicate()
{
    const auto read = readJson(R"({"value":1,"value":2})");
    QVERIFY(std::get<Problem>(read).detail.contains(u"\"value\""_s));
}

void TestJsonReader::pointsAtAnExponentBeyondUse()
{
    const auto read = readJson(R"({"a/b~c":[0,{"value":1e99999999999}]})");
    const auto *problem = std::get_if<Problem>(&read);
    QVERIFY(problem);
    QCOMPARE(problem->code, ProblemCode::ValidationFailed);
    QCOMPARE(problem->members.size(), 1);
    QCOMPARE(problem->members.first().pointer, u"/a~1b~0c/1/value"_s);
}

void TestJsonReader::longTextsAndNamesArriveWhole()
{
    // Longer than the parser's own buffer, with escapes spread over it.
    const QString expected = u"é\n日"_s.repeated(20'000);
    const QByteArray escaped = QByteArray(R"(\u00e9\n日)").repeated(20'000);
    const auto read = readJson("{\"" + escaped + "\":\"" + escaped + "\"}");
    const auto *value = std::get_if<JsonValue>(&read);
    QVERIFY(value);
    QCOMPARE(members(*value).front().name, expected);
    QCOMPARE(std::get<QString>(members(*value).front().value.content), expected);
}

QTEST_APPLESS_MAIN(TestJsonReader)
#include "tst_jsonreader.moc"
