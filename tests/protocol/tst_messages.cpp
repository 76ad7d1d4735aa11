#include "sync/protocol/messages.h"

#include <QTest>

using namespace daybook;
using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

namespace {

constexpr auto id = "4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12";

ClientEntryId entryId() { return *ClientEntryId::fromString(QString::fromLatin1(id)); }
Instant instant(std::string_view text) { return RecordedAt::fromRfc3339(text)->instant; }

EntryFields usualFields()
{
    return {*DecimalValue::fromJsonNumber("-0.25"), *RecordedAt::fromRfc3339("2026-01-13T09:10:00.5+09:00"),
            u"weight"_s, u"line\n\"two\" 😀"_s};
}

EntryResource usualEntry()
{
    return {u"7"_s,
            entryId(),
            3,
            usualFields(),
            instant("2026-01-13T00:10:01Z"),
            instant("2026-01-13T00:10:02.007Z")};
}

/// A create body with one more or one other member: members are separated by commas.
QByteArray create(const QByteArray &members) { return R"({"schemaVersion":1,)" + members + '}'; }

QByteArray usualMembers(const QByteArray &value = "120",
                        const QByteArray &recordedAt = "2026-01-13T09:10:00+09:00")
{
    return "\"clientEntryId\":\"" + QByteArray(id) + "\",\"value\":" + value + ",\"recordedAt\":\"" +
           recordedAt + "\"";
}

template<typename T>
QStringList refusedPointers(const Decoded<T> &decoded)
{
    QStringList pointers;
    if (const auto *problem = std::get_if<Problem>(&decoded))
        for (const ProblemMember &member : problem->members)
            pointers.append(member.pointer);
    return pointers;
}

template<typename T>
std::optional<ProblemCode> refusal(const Decoded<T> &decoded)
{
    const auto *problem = std::get_if<Problem>(&decoded);
    return problem ? std::optional(problem->code) : std::nullopt;
}

} // namespace

class TestMessages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void writesEntryRequests();
    void entryRequestsComeBack();
    void absentAndNullTextsAreEmpty();
    void takesLimits();
    void refusesEntries_data();
    void refusesEntries();
    void tellsAllThatIsWrong();
    void listOfRefusalsIsBounded();
    void updateNamesNoEntry();
    void writesEntries();
    void entriesComeBack();
    void refusesEntriesInReplies_data();
    void refusesEntriesInReplies();
    void receiptsComeBack();
    void refusesReceipts_data();
    void refusesReceipts();
    void accountRequestsComeBack();
    void refusesSignUp_data();
    void refusesSignUp();
    void signInIsNotHeldToTheRulesOfSignUp();
    void refusesSessionRequests();
    void sessionsComeBack();
    void refusesSessions_data();
    void refusesSessions();
    void configComesBack();
    void repliesOfANewerServerAreUnderstood();
};

void TestMessages::writesEntryRequests()
{
    const QByteArray fields = R"("value":-0.25,"recordedAt":"2026-01-13T09:10:00.500+09:00",)"
                              R"("category":"weight","note":"line\n\"two\" 😀"})";
    const QByteArray createStart =
        R"({"schemaVersion":1,"clientEntryId":"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12",)";
    const QByteArray updateStart = R"({"schemaVersion":1,)";
    QCOMPARE(encodeCreateEntry(entryId(), usualFields()), createStart + fields);
    QCOMPARE(encodeUpdateEntry(usualFields()), updateStart + fields);
}

void TestMessages::entryRequestsComeBack()
{
    const auto create = decodeCreateEntry(encodeCreateEntry(entryId(), usualFields()));
    QVERIFY(std::holds_alternative<EntryRequest>(create));
    QCOMPARE(std::get<EntryRequest>(create), (EntryRequest{entryId(), usualFields()}));
    const auto update = decodeUpdateEntry(encodeUpdateEntry(usualFields()));
    QVERIFY(std::holds_alternative<EntryRequest>(update));
    QCOMPARE(std::get<EntryRequest>(update), (EntryRequest{{}, usualFields()}));
}

void TestMessages::absentAndNullTextsAreEmpty()
{
    for (const char *texts : {"", R"(,"category":null,"note":null)", R"(,"category":"","note":"")"}) {
        const auto decoded = decodeCreateEntry(create(usualMembers() + texts));
        const auto *request = std::get_if<EntryRequest>(&decoded);
        QVERIFY(request);
        QCOMPARE(request->fields.category, QString());
        QCOMPARE(request->fields.note, QString());
        QCOMPARE(request->fields.value.thousandths(), 120'000);
    }
}

void TestMessages::takesLimits()
{
    for (const char *value : {"999999999999.999", "-999999999999.9990000", "999999999999999e-3", "1e11",
                              "0.001", "1000000000000000e-4", "0e9999", "-0"})
        QVERIFY2(!refusal(decodeCreateEntry(create(usualMembers(value)))), value);
    for (const char *time :
         {"0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2024-02-29T12:00:00-23:59"})
        QVERIFY2(!refusal(decodeCreateEntry(create(usualMembers("1", time)))), time);
    // Code points count, neither bytes nor UTF-16 units.
    const QByteArray texts = ",\"category\":\"" + QByteArray("😀").repeated(64) + "\",\"note\":\"" +
                             QByteArray("日").repeated(2000) + '"';
    QVERIFY(!refusal(decodeCreateEntry(create(usualMembers() + texts))));
    const QByteArray otherOne = R"({"schemaVersion":1.0,)" + usualMembers() + '}';
    QVERIFY(!refusal(decodeCreateEntry(otherOne)));
}

void TestMessages::refusesEntries_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<ProblemCode>("code");
    QTest::addColumn<QStringList>("pointers");
    const auto row = [](const char *name, const QByteArray &body, const QStringList &pointers) {
        QTest::newRow(name) << body << ProblemCode::ValidationFailed << pointers;
    };
    const auto value = [row](const char *text) { row(text, create(usualMembers(text)), {u"/value"_s}); };
    const auto time = [row](const char *text) {
        row(text, create(usualMembers("1", text)), {u"/recordedAt"_s});
    };
    const auto otherSchema = [](const char *version) {
        QTest::addRow("schema %s", version)
            << R"({"schemaVersion":)" + QByteArray(version) + ',' + usualMembers() + '}'
            << ProblemCode::SchemaVersionUnsupported << QStringList();
    };

    QTest::newRow("not JSON") << QByteArray("{") << ProblemCode::MalformedJson << QStringList();
    QTest::newRow("twice") << create(usualMembers() + R"(,"value":120)") << ProblemCode::MalformedJson
                           << QStringList();
    otherSchema("0");
    otherSchema("2");
    otherSchema("1.5");
    otherSchema("-1");
    otherSchema("1e300");
    QTest::newRow("other schema, other members") << QByteArray(R"({"schemaVersion":2,"amount":1})")
                                                 << ProblemCode::SchemaVersionUnsupported << QStringList();

    for (const char *json : {"[]", "null", "1", "\"x\"", "true"})
        row(json, json, {QString()});
    row("no schemaVersion", '{' + usualMembers() + '}', {u"/schemaVersion"_s});
    row("schemaVersion is a text", R"({"schemaVersion":"1",)" + usualMembers() + '}', {u"/schemaVersion"_s});
    row("schemaVersion is null", R"({"schemaVersion":null,)" + usualMembers() + '}', {u"/schemaVersion"_s});

    row("no value",
        create(R"("clientEntryId":")" + QByteArray(id) + R"(","recordedAt":"2026-01-13T09:10:00Z")"),
        {u"/value"_s});
    for (const char *text : {"null", "\"120\"", "true", "[120]", "{}", "0.0001", "1.2345", "1000000000000",
                             "-999999999999.9991", "1e12", "1e-4", "1e400", "1e99999999999"})
        value(text);

    row("no recordedAt", create(R"("clientEntryId":")" + QByteArray(id) + R"(","value":1)"),
        {u"/recordedAt"_s});
    row("recordedAt is a number",
        create(R"("clientEntryId":")" + QByteArray(id) + R"(","value":1,"recordedAt":1)"),
        {u"/recordedAt"_s});
    for (const char *text :
         {"", "yesterday", "2026-01-13", "2026-01-13T09:10:00", "2026-01-13 09:10:00Z",
          "2026-02-29T00:00:00Z", "2026-01-13T24:00:00Z", "2026-06-30T23:59:60Z", "0001-01-01T00:00:00+00:01",
          "9999-12-31T23:59:59-00:01", "2026-01-13T09:10:00+24:00"})
        time(text);

    row("id is no UUID", create(R"("clientEntryId":"1","value":1,"recordedAt":"2026-01-13T09:10:00Z")"),
        {u"/clientEntryId"_s});
    row("id in braces",
        create(R"("clientEntryId":"{4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12}","value":1,)"
               R"("recordedAt":"2026-01-13T09:10:00Z")"),
        {u"/clientEntryId"_s});
    row("nil id",
        create(R"("clientEntryId":"00000000-0000-0000-0000-000000000000","value":1,)"
               R"("recordedAt":"2026-01-13T09:10:00Z")"),
        {u"/clientEntryId"_s});

    row("category too long", create(usualMembers() + ",\"category\":\"" + QByteArray("😀").repeated(65) + '"'),
        {u"/category"_s});
    row("note too long", create(usualMembers() + ",\"note\":\"" + QByteArray("a").repeated(2001) + '"'),
        {u"/note"_s});
    row("U+0000 in note", create(usualMembers() + R"(,"note":"a\u0000")"), {u"/note"_s});
    row("U+0000 in category", create(usualMembers() + R"(,"category":"\u0000")"), {u"/category"_s});
    row("note is a number", create(usualMembers() + R"(,"note":1)"), {u"/note"_s});
    row("category is an object", create(usualMembers() + R"(,"category":{})"), {u"/category"_s});

    row("unknown member", create(usualMembers() + R"(,"colour":"red")"), {u"/colour"_s});
    row("unknown member, null", create(usualMembers() + R"(,"colour":null)"), {u"/colour"_s});
    row("member in another case", create(usualMembers() + R"(,"Note":"")"), {u"/Note"_s});
    row("name to escape", create(usualMembers() + R"(,"a/b~c":1)"), {u"/a~1b~0c"_s});
    row("empty name", create(usualMembers() + R"(,"":1)"), {u"/"_s});
    row("version of the server", create(usualMembers() + R"(,"version":1)"), {u"/version"_s});
}

void TestMessages::refusesEntries()
{
    QFETCH(QByteArray, body);
    QFETCH(ProblemCode, code);
    QFETCH(QStringList, pointers);
    const auto decoded = decodeCreateEntry(body);
    QCOMPARE(refusal(decoded), std::optional(code));
    QCOMPARE(refusedPointers(decoded), pointers);
}

void TestMessages::tellsAllThatIsWrong()
{
    const auto decoded =
        decodeCreateEntry(R"({"schemaVersion":1,"value":"x","recordedAt":1,"note":2,"more":3})");
    QCOMPARE(refusedPointers(decoded),
             QStringList({u"/clientEntryId"_s, u"/value"_s, u"/recordedAt"_s, u"/note"_s, u"/more"_s}));
}

void TestMessages::listOfRefusalsIsBounded()
{
    QByteArray members = usualMembers();
    for (int i = 0; i < 5000; ++i)
        members += ",\"m" + QByteArray::number(i) + "\":0";
    const auto pointers = refusedPointers(decodeCreateEntry(create(members)));
    QVERIFY(!pointers.isEmpty());
    QVERIFY(pointers.size() < 100);
}

void TestMessages::updateNamesNoEntry()
{
    QCOMPARE(refusedPointers(decodeUpdateEntry(create(usualMembers()))), QStringList(u"/clientEntryId"_s));
}

void TestMessages::writesEntries()
{
    const QByteArray expected =
        R"({"entryId":"7","clientEntryId":"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12","version":3,)"
        R"("value":-0.25,"recordedAt":"2026-01-13T09:10:00.500+09:00","category":"weight",)"
        R"("note":"line\n\"two\" 😀","createdAt":"2026-01-13T00:10:01Z","updatedAt":"2026-01-13T00:10:02.007Z"})";
    QCOMPARE(encodeEntry(usualEntry()), expected);
}

void TestMessages::entriesComeBack()
{
    QCOMPARE(decodeEntry(encodeEntry(usualEntry())), std::optional(usualEntry()));
}

void TestMessages::refusesEntriesInReplies_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *from, const char *to) {
        QTest::addRow("%s", to) << QByteArray(from) << QByteArray(to);
    };
    row(R"("entryId":"7",)", "");
    row(R"("entryId":"7")", R"("entryId":7)");
    row(id, "4dd2eacd");
    row(R"("version":3)", R"("version":0)");
    row(R"("version":3)", R"("version":-3)");
    row(R"("version":3)", R"("version":3.5)");
    row(R"("version":3)", R"("version":"3")");
    row(R"("version":3)", R"("version":1e300)");
    row(R"("version":3)", R"("version":3,"version":3)");
    row("-0.25", "-0.2501");
    row("-0.25", "\"-0.25\"");
    row("-0.25", "1e15");
    row("2026-01-13T09:10:00.500+09:00", "2026-01-13T09:10:00.500");
    row("2026-01-13T00:10:01Z", "then");
    row(R"("category":"weight")", R"("category":1)");
    row("weight", R"(\u0000)");
    row("}", "} ,");
    row("}", "");
}

void TestMessages::refusesEntriesInReplies()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray body = encodeEntry(usualEntry());
    QVERIFY(body.contains(from));
    body.replace(from, to);
    QCOMPARE(decodeEntry(body), std::nullopt);
}

void TestMessages::receiptsComeBack()
{
    for (const auto type :
         {OperationType::CreateEntry, OperationType::UpdateEntry, OperationType::DeleteEntry}) {
        const Receipt receipt{
            201, type, entryId(), 1, instant("2026-01-13T00:10:01Z"), instant("2026-02-12T00:10:01Z")};
        QCOMPARE(decodeReceipt(encodeReceipt(receipt)), std::optional(receipt));
    }
    // What was refused inside the transaction has no version.
    const Receipt refused{404, OperationType::DeleteEntry,      entryId(),
                          0,   instant("2026-01-13T00:10:01Z"), Instant()};
    QCOMPARE(decodeReceipt(encodeReceipt(refused)), std::optional(refused));
    const QByteArray expected =
        R"({"state":"completed","status":404,"operationType":"DELETE_ENTRY",)"
        R"("clientEntryId":"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12","version":0,)"
        R"("completedAt":"2026-01-13T00:10:01Z","responseExpiresAt":"1970-01-01T00:00:00Z"})";
    QCOMPARE(encodeReceipt(refused), expected);
}

void TestMessages::refusesReceipts_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *from, const char *to) {
        QTest::addRow("%s", to) << QByteArray(from) << QByteArray(to);
    };
    row(R"("completed")", R"("running")");
    row("201", "99");
    row("201", "600");
    row("CREATE_ENTRY", "MOVE_ENTRY");
    row("CREATE_ENTRY", "create_entry");
    row(R"("version":1)", R"("version":-1)");
    row("2026-02-12T00:10:01Z", "");
}

void TestMessages::refusesReceipts()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray body = encodeReceipt({201, OperationType::CreateEntry, entryId(), 1,
                                     instant("2026-01-13T00:10:01Z"), instant("2026-02-12T00:10:01Z")});
    QVERIFY(body.contains(from));
    body.replace(from, to);
    QCOMPARE(decodeReceipt(body), std::nullopt);
}

void TestMessages::accountRequestsComeBack()
{
    const SignUpRequest signUp{u"Zoë"_s, u"pass word\n\"8\""_s, u"Zoë B."_s};
    QCOMPARE(std::get<SignUpRequest>(decodeSignUp(encodeSignUp(signUp))), signUp);
    const SignInRequest signIn{u"Zoë"_s, u"pass word"_s, u"desk"_s};
    QCOMPARE(std::get<SignInRequest>(decodeSignIn(encodeSignIn(signIn))), signIn);
    QCOMPARE(std::get<QString>(decodeRefresh(encodeRefresh(u"token"_s))), u"token"_s);
    const AccountResource account{u"12"_s, u"zoe"_s, QString()};
    QCOMPARE(decodeAccount(encodeAccount(account)), std::optional(account));

    const auto bare = decodeSignUp(R"({"username":"a","password":"12345678"})");
    QCOMPARE(std::get<SignUpRequest>(bare).displayName, QString());
}

void TestMessages::refusesSignUp_data()
{
    QTest::addColumn<SignUpRequest>("request");
    QTest::addColumn<QStringList>("pointers");
    const auto row = [](const char *name, const SignUpRequest &request, const QString &pointer) {
        QTest::newRow(name) << request << (pointer.isEmpty() ? QStringList() : QStringList(pointer));
    };
    row("shortest", {u"a"_s, u"😀"_s.repeated(8), {}}, {});
    row("longest", {u"😀"_s.repeated(64), u"x"_s.repeated(256), u"x"_s.repeated(64)}, {});
    row("no username", {{}, u"12345678"_s, {}}, u"/username"_s);
    row("username too long", {u"x"_s.repeated(65), u"12345678"_s, {}}, u"/username"_s);
    row("space in username", {u"a b"_s, u"12345678"_s, {}}, u"/username"_s);
    row("wide space in username", {u"a\u3000"_s, u"12345678"_s, {}}, u"/username"_s);
    row("control character in username", {u"a\u001B"_s, u"12345678"_s, {}}, u"/username"_s);
    row("password too short", {u"a"_s, u"😀"_s.repeated(7), {}}, u"/password"_s);
    row("password too long", {u"a"_s, u"x"_s.repeated(257), {}}, u"/password"_s);
    row("U+0000 in password",
        {u"a"_s,
         QString(u"1234567\0"
                 "8"_s),
         {}},
        u"/password"_s);
    row("display name too long", {u"a"_s, u"12345678"_s, u"x"_s.repeated(65)}, u"/displayName"_s);
}

void TestMessages::refusesSignUp()
{
    QFETCH(SignUpRequest, request);
    QFETCH(QStringList, pointers);
    QCOMPARE(refusedPointers(decodeSignUp(encodeSignUp(request))), pointers);
}

void TestMessages::signInIsNotHeldToTheRulesOfSignUp()
{
    QVERIFY(!refusal(decodeSignIn(encodeSignIn({u"no such name"_s, u"short"_s, {}}))));
    QCOMPARE(refusedPointers(decodeSignIn(
                 encodeSignIn({u"x"_s.repeated(65), u"x"_s.repeated(257), u"x"_s.repeated(65)}))),
             QStringList({u"/username"_s, u"/password"_s, u"/deviceName"_s}));
}

void TestMessages::refusesSessionRequests()
{
    QCOMPARE(refusal(decodeSignIn("[")), std::optional(ProblemCode::MalformedJson));
    QCOMPARE(refusedPointers(decodeSignIn("{}")), QStringList({u"/username"_s, u"/password"_s}));
    QCOMPARE(refusedPointers(decodeSignUp("{}")), QStringList({u"/username"_s, u"/password"_s}));
    const QByteArray twoFaults = R"({"refreshToken":1,"x":2})";
    QCOMPARE(refusedPointers(decodeRefresh(twoFaults)), QStringList({u"/refreshToken"_s, u"/x"_s}));
    QCOMPARE(refusedPointers(decodeRefresh(encodeRefresh(u"x"_s.repeated(513)))),
             QStringList(u"/refreshToken"_s));
}

void TestMessages::sessionsComeBack()
{
    const SessionResource session{u"access"_s, 3600s, u"refresh"_s, {u"12"_s, u"zoe"_s, u"Zoë"_s}};
    const QByteArray body = encodeSession(session);
    const QByteArray expected =
        R"({"accessToken":"access","tokenType":"Bearer","expiresIn":3600,"refreshToken":"refresh",)"
        R"("account":{"accountId":"12","username":"zoe","displayName":"Zoë"}})";
    QCOMPARE(body, expected);
    QCOMPARE(decodeSession(body), std::optional(session));
}

void TestMessages::refusesSessions_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    const auto row = [](const char *from, const char *to) {
        QTest::addRow("%s", to) << QByteArray(from) << QByteArray(to);
    };
    row("Bearer", "MAC");
    row("3600", "-1");
    row("3600", "\"3600\"");
    row(R"("accountId":"12",)", "");
    row(R"("accountId":"12")", R"("accountId":12)");
    row(R"("refreshToken":"refresh",)", "");
}

void TestMessages::refusesSessions()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray body = encodeSession({u"access"_s, 3600s, u"refresh"_s, {u"12"_s, u"zoe"_s, u"Zoë"_s}});
    QVERIFY(body.contains(from));
    body.replace(from, to);
    QVERIFY(!decodeSession(body));
}

void TestMessages::configComesBack()
{
    const ServerConfig config{720h, 9600h, 65536, 64, 2000, {1, 2}, instant("2026-01-13T00:10:01Z"), true};
    const QByteArray body = encodeConfig(config);
    QCOMPARE(decodeConfig(body), std::optional(config));
    QVERIFY(!decodeConfig(QByteArray(body).replace("[1,2]", "[1,\"2\"]")));
    QVERIFY(!decodeConfig(QByteArray(body).replace("[1,2]", "[1,99999999999]")));
    QVERIFY(!decodeConfig(QByteArray(body).replace("true", "1")));
    QVERIFY(!decodeConfig("{}"));
}

void TestMessages::repliesOfANewerServerAreUnderstood()
{
    const auto newer = [](QByteArray body) { return body.replace(0, 1, R"({"new":[{"x":1.23456789}],)"); };
    QVERIFY(decodeEntry(newer(encodeEntry(usualEntry()))));
    QVERIFY(decodeAccount(newer(encodeAccount({u"1"_s, u"a"_s, {}}))));
    QVERIFY(decodeSession(newer(encodeSession({u"a"_s, 1s, u"b"_s, {u"1"_s, u"a"_s, {}}}))));
    QVERIFY(decodeConfig(newer(encodeConfig({}))));
    QVERIFY(decodeReceipt(
        newer(encodeReceipt({200, OperationType::UpdateEntry, entryId(), 2, Instant(), Instant()}))));
}

QTEST_APPLESS_MAIN(TestMessages)
#include "tst_messages.moc"
