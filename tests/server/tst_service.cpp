#include "tests/server/servicefixture.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <sys/stat.h>
#include <thread>

using namespace daybook;

namespace {

const QByteArray entryOne = "11111111-1111-4111-8111-111111111111";
const QByteArray entryTwo = "22222222-2222-4222-8222-222222222222";

enum Who { Ann, Bob };

/// One request and what must come back.
struct Step
{
    Who who = Ann;
    QByteArray method = {};
    QByteArray target = {};
    QByteArray key = {};
    QByteArray ifMatch = {};
    QByteArray body = {};
    int status = 0;
    QByteArray says = {};     ///< the entity tag of a success, the code of a problem
    QByteArray replayed = {}; ///< Idempotent-Replayed; empty where the reply is not stored

    Step by(Who other) const
    {
        Step step = *this;
        step.who = other;
        return step;
    }
    Step gets(int expectedStatus, const QByteArray &tagOrCode, const QByteArray &expectedReplayed = {}) const
    {
        Step step = *this;
        step.status = expectedStatus;
        step.says = tagOrCode;
        step.replayed = expectedReplayed;
        return step;
    }
};

QByteArray fieldsJson(const QByteArray &value, const QByteArray &note)
{
    return "\"schemaVersion\":1,\"value\":" + value +
           ",\"recordedAt\":\"2026-01-13T09:10:00+09:00\",\"category\":\"\",\"note\":\"" + note + "\"}";
}

QByteArray createJson(const QByteArray &id, const QByteArray &value, const QByteArray &note = {})
{
    return "{\"clientEntryId\":\"" + id + "\"," + fieldsJson(value, note);
}

Step create(const QByteArray &key, const QByteArray &value, const QByteArray &id = entryOne)
{
    return {.method = "POST", .target = "/v1/entries", .key = key, .body = createJson(id, value)};
}

Step update(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &value,
            const QByteArray &id = entryOne)
{
    return {.method = "PUT",
            .target = "/v1/entries/" + id,
            .key = key,
            .ifMatch = ifMatch,
            .body = '{' + fieldsJson(value, {})};
}

Step remove(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &id = entryOne)
{
    return {.method = "DELETE", .target = "/v1/entries/" + id, .key = key, .ifMatch = ifMatch};
}

Step read(const QByteArray &id = entryOne) { return {.method = "GET", .target = "/v1/entries/" + id}; }

Step receipt(const QByteArray &key) { return {.method = "GET", .target = "/v1/receipts", .key = key}; }

ServerRequest requestOf(const Step &step, const Person &person)
{
    ServerRequest request = asked(jsonRequest(step.method, step.target, step.body), person);
    if (!step.key.isEmpty())
        request.headers.emplaceBack("Idempotency-Key", step.key);
    if (!step.ifMatch.isEmpty())
        request.headers.emplaceBack("If-Match", step.ifMatch);
    return request;
}

} // namespace

/// Requests on entries, from the first header to the rows they leave behind.
class TestService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void conversation_data();
    void conversation();
    void aReplayIsTheSameToTheByte();
    void everySpellingOfOneRequestIsOneRequest();
    void copiesAtOnceAreOneEntry();
    void aReusedKeySaysWhatDiffers();
    void headersAreJudgedBeforeTheBody_data();
    void headersAreJudgedBeforeTheBody();
    void aRefusedRequestLeavesTheKeyUnused();
    void everythingOutlivesARestart();
    void anExpiredResponseIsNotExecutedAgain_data();
    void anExpiredResponseIsNotExecutedAgain();
    void aPurgedRecordIsNotExecutedAgain();
    void aReceiptSaysWhatBecameOfIt();
    void aLockedDatabaseIsToldAndNothingIsRemembered();
    void stateOfTheServer();
    void configuration();
    void noPaths_data();
    void noPaths();
    void theDatabaseIsPrivate();

private:
    void play(const QList<Step> &steps);
    QString entries() const;

    std::unique_ptr<ServiceFixture> m_fixture;
    Person m_people[2];
    QByteArray m_template; ///< a database with two people signed in
};

void TestService::initTestCase()
{
    ServiceFixture fixture;
    fixture.start();
    m_people[Ann] = signUp(fixture, QStringLiteral("ann"));
    m_people[Bob] = signUp(fixture, QStringLiteral("bob"));
    fixture.stop();
    m_template = fixture.databaseBytes();
}

void TestService::init()
{
    m_fixture = std::make_unique<ServiceFixture>(m_template);
    m_fixture->start();
}

void TestService::cleanup() { m_fixture.reset(); }

void TestService::play(const QList<Step> &steps)
{
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const Step &step = steps[i];
        const ServerReply reply = m_fixture->ask(requestOf(step, m_people[step.who]));
        const QByteArray said = reply.status < 300 ? headerOf(reply, "ETag") : codeOf(reply).toLatin1();
        const QByteArray where = "step " + QByteArray::number(i) + ": " + reply.body;
        QVERIFY2(reply.status == step.status, where);
        QVERIFY2(said == step.says, where);
        QVERIFY2(headerOf(reply, "Idempotent-Replayed") == step.replayed, where);
        QCOMPARE(headerOf(reply, "Idempotency-Expires").isEmpty(), step.replayed.isEmpty());
    }
}

/// `username version value` of each entry, with `deleted` behind a tombstone.
QString TestService::entries() const
{
    return m_fixture->read(
        QStringLiteral("SELECT username || ' ' || version || ' ' || value || iif(deleted, ' deleted', '')"
                       " FROM entries JOIN accounts USING (actor_id) ORDER BY username, client_entry_id"));
}

void TestService::conversation_data()
{
    QTest::addColumn<QList<Step>>("steps");
    QTest::addColumn<QString>("entriesAfter");
    QTest::addColumn<int>("remembered");

    const auto row = [](const char *name, const QList<Step> &steps, const char *after, int remembered) {
        QTest::newRow(name) << steps << QString::fromLatin1(after) << remembered;
    };
    const QByteArray first = "false";
    const QByteArray again = "true";
    const Step created = create("k1", "1.5").gets(201, "\"1\"", first);

    row("create", {created, read().gets(200, "\"1\"")}, "ann 1 1500", 1);
    row("create, repeated", {created, create("k1", "1.5").gets(201, "\"1\"", again)}, "ann 1 1500", 1);
    row("create what exists with the same content", {created, create("k2", "1.50").gets(200, "\"1\"", first)},
        "ann 1 1500", 2);
    row("create what exists with other content",
        {created, create("k2", "2").gets(409, "CLIENT_ENTRY_ID_TAKEN", first),
         create("k2", "2").gets(409, "CLIENT_ENTRY_ID_TAKEN", again)},
        "ann 1 1500", 2);
    row("create what was deleted",
        {created, remove("k2", "\"1\"").gets(204, "\"2\"", first),
         create("k3", "1.5").gets(410, "ENTRY_DELETED", first)},
        "ann 2 0 deleted", 3);
    row("another payload under the key",
        {created, create("k1", "2").gets(409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD"),
         create("k1", "1.5", entryTwo).gets(409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD"),
         update("k1", "\"1\"", "1.5").gets(409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD"),
         create("k1", "1.5").gets(201, "\"1\"", again)},
        "ann 1 1500", 1);
    row("the same key of another account is another operation",
        {created, create("k1", "7").by(Bob).gets(201, "\"1\"", first),
         create("k1", "1.5").gets(201, "\"1\"", again)},
        "ann 1 1500; bob 1 7000", 2);
    row("another account's entry is not found",
        {created, read().by(Bob).gets(404, "ENTRY_NOT_FOUND"),
         update("k2", "\"1\"", "3").by(Bob).gets(404, "ENTRY_NOT_FOUND", first),
         remove("k3", "\"1\"").by(Bob).gets(404, "ENTRY_NOT_FOUND", first),
         receipt("k1").by(Bob).gets(404, "OPERATION_UNKNOWN")},
        "ann 1 1500", 3);

    row("update", {created, update("k2", "\"1\"", "3").gets(200, "\"2\"", first), read().gets(200, "\"2\"")},
        "ann 2 3000", 2);
    row("update, repeated after its own success",
        {created, update("k2", "\"1\"", "3").gets(200, "\"2\"", first),
         update("k2", "\"1\"", "3").gets(200, "\"2\"", again),
         update("k2", "", "3").gets(200, "\"2\"", again),
         update("k2", "nonsense", "3").gets(200, "\"2\"", again)},
        "ann 2 3000", 2);
    row("update of what has changed",
        {created, update("k2", "\"1\"", "3").gets(200, "\"2\"", first),
         update("k3", "\"1\"", "4").gets(412, "VERSION_CONFLICT", first),
         update("k3", "\"1\"", "4").gets(412, "VERSION_CONFLICT", again)},
        "ann 2 3000", 3);
    row("a stored refusal stays, whatever happens meanwhile",
        {update("k1", "\"1\"", "3").gets(404, "ENTRY_NOT_FOUND", first),
         create("k2", "1.5").gets(201, "\"1\"", first),
         update("k1", "\"1\"", "3").gets(404, "ENTRY_NOT_FOUND", again)},
        "ann 1 1500", 2);
    row("update without If-Match",
        {created, update("k2", "", "3").gets(428, "PRECONDITION_REQUIRED"),
         update("k2", "\"1\"", "3").gets(200, "\"2\"", first)},
        "ann 2 3000", 2);
    row("If-Match that is no version",
        {created, update("k2", "1", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "*", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "W/\"1\"", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "\"1\", \"2\"", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "\"\"", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "\"01\"", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "\"-1\"", "3").gets(400, "MALFORMED_REQUEST"),
         update("k2", "\"99999999999999999999\"", "3").gets(400, "MALFORMED_REQUEST")},
        "ann 1 1500", 1);

    row("delete",
        {created, remove("k2", "\"1\"").gets(204, "\"2\"", first), read().gets(410, "ENTRY_DELETED"),
         remove("k2", "\"1\"").gets(204, "\"2\"", again)},
        "ann 2 0 deleted", 2);
    row("delete of what has changed",
        {created, update("k2", "\"1\"", "3").gets(200, "\"2\"", first),
         remove("k3", "\"1\"").gets(412, "VERSION_CONFLICT", first)},
        "ann 2 3000", 3);
    row("delete of what is deleted",
        {created, remove("k2", "\"1\"").gets(204, "\"2\"", first),
         remove("k3", "\"2\"").gets(410, "ENTRY_DELETED", first)},
        "ann 2 0 deleted", 3);
    row("delete without If-Match", {created, remove("k2", "").gets(428, "PRECONDITION_REQUIRED")},
        "ann 1 1500", 1);
    row("update of what is deleted",
        {created, remove("k2", "\"1\"").gets(204, "\"2\"", first),
         update("k3", "\"1\"", "3").gets(410, "ENTRY_DELETED", first)},
        "ann 2 0 deleted", 3);
    row("update with the tombstone's version brings back",
        {created, remove("k2", "\"1\"").gets(204, "\"2\"", first),
         update("k3", "\"2\"", "3").gets(200, "\"3\"", first), read().gets(200, "\"3\"")},
        "ann 3 3000", 3);
    row("nothing there",
        {read().gets(404, "ENTRY_NOT_FOUND"), remove("k1", "\"1\"").gets(404, "ENTRY_NOT_FOUND", first)}, "",
        1);
    row("refusals that are not stored",
        {create("k1", "1.2345").gets(422, "VALIDATION_FAILED"),
         create("k1", "01").gets(400, "MALFORMED_JSON"), create("k1", "1.5").gets(201, "\"1\"", first)},
        "ann 1 1500", 1);
}

void TestService::conversation()
{
    QFETCH(const QList<Step>, steps);
    QFETCH(const QString, entriesAfter);
    QFETCH(const int, remembered);

    play(steps);

    QCOMPARE(entries(), entriesAfter);
    QCOMPARE(m_fixture->read(QStringLiteral("SELECT count(*) FROM idempotency_records")).toInt(), remembered);
    QCOMPARE(m_fixture->read(QStringLiteral("SELECT count(*) FROM idempotency_records"
                                            " WHERE status <> 'completed' OR completed_at IS NULL")),
             QStringLiteral("0"));
    // The change numbers of an account have no holes before its latest one.
    QCOMPARE(m_fixture->read(QStringLiteral("SELECT username FROM accounts JOIN entries USING (actor_id)"
                                            " GROUP BY actor_id HAVING max(change_number) <> last_change")),
             QString());
}

void TestService::aReplayIsTheSameToTheByte()
{
    const ServerRequest request = requestOf(create("k1", "1.5"), m_people[Ann]);
    const ServerReply first = m_fixture->ask(request);
    m_fixture->clock.advance(std::chrono::minutes(10));
    const ServerReply second = m_fixture->ask(request);

    QCOMPARE(first.status, 201);
    QCOMPARE(second.status, first.status);
    QCOMPARE(second.body, first.body);
    QCOMPARE(second.contentType, first.contentType);
    QCOMPARE(headerOf(second, "Location"), "/v1/entries/" + entryOne);
    for (const char *name : {"Location", "ETag", "Idempotency-Expires"})
        QCOMPARE(headerOf(second, name), headerOf(first, name));
    QCOMPARE(headerOf(first, "Idempotency-Expires"), QByteArray("Thu, 12 Feb 2026 08:00:00 GMT"));
    QCOMPARE(headerOf(first, "Idempotent-Replayed"), QByteArray("false"));
    QCOMPARE(headerOf(second, "Idempotent-Replayed"), QByteArray("true"));
    QCOMPARE(second.headers.size(), first.headers.size());
}

void TestService::everySpellingOfOneRequestIsOneRequest()
{
    play({create("k1", "1.50").gets(201, "\"1\"", "false")});
    Step other = create("\"k1\"", "15e-1");
    other.body = "{ \"note\": null, \"value\": 15e-1, \"recordedAt\": \"2026-01-13T00:10:00Z\","
                 " \"clientEntryId\": \"" +
                 entryOne.toUpper() + "\", \"schemaVersion\": 1 }";
    play({other.gets(201, "\"1\"", "true")});
}

void TestService::copiesAtOnceAreOneEntry()
{
    constexpr int copies = 5;
    const ServerRequest request = requestOf(create("k1", "1.5"), m_people[Ann]);
    std::vector<std::future<ServerReply>> answers(copies);
    std::vector<std::thread> threads;
    for (auto &answer : answers)
        threads.emplace_back([&] { answer = m_fixture->askAtOnce(request); });
    for (auto &thread : threads)
        thread.join();

    QByteArray body;
    int replayed = 0;
    for (auto &answer : answers) {
        const ServerReply reply = answer.get();
        QCOMPARE(reply.status, 201);
        QVERIFY(body.isEmpty() || reply.body == body);
        body = reply.body;
        replayed += headerOf(reply, "Idempotent-Replayed") == "true" ? 1 : 0;
    }
    QCOMPARE(replayed, copies - 1);
    QCOMPARE(entries(), QStringLiteral("ann 1 1500"));
}

void TestService::aReusedKeySaysWhatDiffers()
{
    Step step = create("k1", "1.5");
    m_fixture->ask(requestOf(step, m_people[Ann]));
    step.body = createJson(entryOne, "2", "secret words");
    const ServerReply reply = m_fixture->ask(requestOf(step, m_people[Ann]));

    const auto problem = decodeProblem(reply.body, reply.status);
    QVERIFY(problem);
    QCOMPARE(problem->code, ProblemCode::IdempotencyKeyReused);
    QCOMPARE(problem->differingFields, QStringList({QStringLiteral("value"), QStringLiteral("note")}));
    QVERIFY(!reply.body.contains("secret"));
    QVERIFY(headerOf(reply, "Retry-After").isEmpty());
    QCOMPARE(entries(), QStringLiteral("ann 1 1500"));
}

void TestService::headersAreJudgedBeforeTheBody_data()
{
    QTest::addColumn<QList<QByteArray>>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");

    const QByteArray bearer = "Authorization: Bearer " + m_people[Ann].accessToken;
    const QByteArray account = "Daybook-Account: " + m_people[Ann].accountId;
    const QByteArray other = "Daybook-Account: " + m_people[Bob].accountId;
    const QByteArray json = "Content-Type: application/json";
    const QByteArray key = "Idempotency-Key: k1";
    const QByteArray good = createJson(entryOne, "1.5");
    const auto row = [](const char *name, const QList<QByteArray> &headers, const QByteArray &body,
                        int status, const char *code) {
        QTest::newRow(name) << headers << body << status << QString::fromLatin1(code);
    };

    row("all is well", {bearer, account, json, key}, good, 201, "");
    row("names in any case",
        {"authorization: bearer " + m_people[Ann].accessToken, account.toLower(),
         "content-type: Application/JSON; Charset=\"UTF-8\"", "idempotency-key: k1"},
        good, 201, "");
    row("no token", {account}, "nonsense", 401, "UNAUTHENTICATED");
    row("a foreign token", {"Authorization: Bearer AAAA", account, json, key}, good, 401, "UNAUTHENTICATED");
    row("another scheme", {"Authorization: Basic QTpC", account, json, key}, good, 401, "UNAUTHENTICATED");
    row("two tokens", {bearer, bearer, account, json, key}, good, 401, "UNAUTHENTICATED");
    row("no account", {bearer}, "nonsense", 400, "ACCOUNT_HEADER_MISSING");
    row("an empty account", {bearer, "Daybook-Account: "}, "nonsense", 400, "ACCOUNT_HEADER_MISSING");
    row("two accounts", {bearer, account, account}, "nonsense", 400, "ACCOUNT_HEADER_MISSING");
    row("another account", {bearer, other}, "nonsense", 403, "ACCOUNT_MISMATCH");
    row("no key", {bearer, account}, "nonsense", 400, "IDEMPOTENCY_KEY_MISSING");
    row("an empty key", {bearer, account, "Idempotency-Key: "}, "nonsense", 400, "IDEMPOTENCY_KEY_INVALID");
    row("an empty quoted key", {bearer, account, "Idempotency-Key: \"\""}, "", 400,
        "IDEMPOTENCY_KEY_INVALID");
    row("two keys", {bearer, account, key, key}, "nonsense", 400, "IDEMPOTENCY_KEY_INVALID");
    row("a key with a blank", {bearer, account, "Idempotency-Key: a b"}, "", 400, "IDEMPOTENCY_KEY_INVALID");
    row("a key with one quote", {bearer, account, "Idempotency-Key: \"a"}, "", 400,
        "IDEMPOTENCY_KEY_INVALID");
    row("a key with parameters", {bearer, account, "Idempotency-Key: \"a\";b=1"}, "", 400,
        "IDEMPOTENCY_KEY_INVALID");
    row("a key with a comma", {bearer, account, "Idempotency-Key: a,b"}, "", 400, "IDEMPOTENCY_KEY_INVALID");
    row("a long key", {bearer, account, json, "Idempotency-Key: " + QByteArray(255, 'a')}, good, 201, "");
    row("a longer key", {bearer, account, json, "Idempotency-Key: " + QByteArray(256, 'a')}, good, 400,
        "IDEMPOTENCY_KEY_INVALID");
    row("every key character", {bearer, account, json, "Idempotency-Key: Az09._~:+/=-"}, good, 201, "");
    row("no content type", {bearer, account, key}, good, 415, "UNSUPPORTED_MEDIA_TYPE");
    row("another content type", {bearer, account, key, "Content-Type: text/plain"}, good, 415,
        "UNSUPPORTED_MEDIA_TYPE");
    row("another charset", {bearer, account, key, json + "; charset=latin1"}, good, 415,
        "UNSUPPORTED_MEDIA_TYPE");
    row("two content types", {bearer, account, key, json, json}, good, 415, "UNSUPPORTED_MEDIA_TYPE");
    row("no JSON", {bearer, account, json, key}, "nonsense", 400, "MALFORMED_JSON");
    row("a byte order mark", {bearer, account, json, key}, "\xEF\xBB\xBF" + good, 400, "MALFORMED_JSON");
    row("no object", {bearer, account, json, key}, "[]", 422, "VALIDATION_FAILED");
}

void TestService::headersAreJudgedBeforeTheBody()
{
    QFETCH(const QList<QByteArray>, headers);
    QFETCH(const QByteArray, body);
    QFETCH(const int, status);
    QFETCH(const QString, code);

    ServerRequest request{"POST", "/v1/entries", {}, body, {}};
    for (const QByteArray &line : headers) {
        const qsizetype colon = line.indexOf(": ");
        request.headers.emplaceBack(line.left(colon), line.mid(colon + 2));
    }
    const ServerReply reply = m_fixture->ask(request);

    QCOMPARE(reply.status, status);
    QCOMPARE(codeOf(reply), code);
    QCOMPARE(headerOf(reply, "WWW-Authenticate"), status == 401 ? QByteArray("Bearer") : QByteArray());
    QCOMPARE(reply.contentType,
             status < 300 ? QByteArray("application/json") : QByteArray("application/problem+json"));
    QCOMPARE(entries(), status < 300 ? QStringLiteral("ann 1 1500") : QString());
}

void TestService::aRefusedRequestLeavesTheKeyUnused()
{
    Step step = remove("k1", "\"1\"");
    step.body = "{}";
    play({step.gets(400, "MALFORMED_REQUEST"), create("k1", "1.5").gets(201, "\"1\"", "false")});
}

void TestService::everythingOutlivesARestart()
{
    play({create("k1", "1.5").gets(201, "\"1\"", "false"),
          update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    m_fixture->stop();
    m_fixture->start();
    play({create("k1", "1.5").gets(201, "\"1\"", "true"),
          update("k2", "\"1\"", "3").gets(200, "\"2\"", "true"),
          update("k3", "\"1\"", "4").gets(412, "VERSION_CONFLICT", "false"), read().gets(200, "\"2\"")});
    QCOMPARE(entries(), QStringLiteral("ann 2 3000"));
}

void TestService::anExpiredResponseIsNotExecutedAgain_data()
{
    QTest::addColumn<QList<Step>>("before");
    QTest::addColumn<Step>("late");
    QTest::addColumn<QString>("entriesAfter");

    const Step created = create("k1", "1.5").gets(201, "\"1\"", "false");
    QTest::newRow("create, still the last writer")
        << QList<Step>{created} << create("k1", "1.5").gets(200, "\"1\"") << QStringLiteral("ann 1 1500");
    QTest::newRow("create, changed since")
        << QList<Step>{created, update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")}
        << create("k1", "1.5").gets(410, "OPERATION_RESULT_EXPIRED") << QStringLiteral("ann 2 3000");
    QTest::newRow("update, still the last writer")
        << QList<Step>{created, update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")}
        << update("k2", "\"1\"", "3").gets(200, "\"2\"") << QStringLiteral("ann 2 3000");
    QTest::newRow("delete, still the last writer")
        << QList<Step>{created, remove("k2", "\"1\"").gets(204, "\"2\"", "false")}
        << remove("k2", "\"1\"").gets(204, "\"2\"") << QStringLiteral("ann 2 0 deleted");
    QTest::newRow("delete, brought back since")
        << QList<Step>{created, remove("k2", "\"1\"").gets(204, "\"2\"", "false"),
                       update("k3", "\"2\"", "3").gets(200, "\"3\"", "false")}
        << remove("k2", "\"1\"").gets(410, "OPERATION_RESULT_EXPIRED") << QStringLiteral("ann 3 3000");
    QTest::newRow("a refusal stays one")
        << QList<Step>{created, update("k2", "\"7\"", "3").gets(412, "VERSION_CONFLICT", "false")}
        << update("k2", "\"7\"", "3").gets(412, "VERSION_CONFLICT") << QStringLiteral("ann 1 1500");
    QTest::newRow("another payload") << QList<Step>{created}
                                     << create("k1", "9").gets(
                                            409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD")
                                     << QStringLiteral("ann 1 1500");
}

void TestService::anExpiredResponseIsNotExecutedAgain()
{
    QFETCH(const QList<Step>, before);
    QFETCH(const Step, late);
    QFETCH(const QString, entriesAfter);

    play(before);
    m_fixture->clock.advance(m_fixture->options.responseRetention);
    const Person annLater = signIn(*m_fixture, QStringLiteral("ann"), QStringLiteral("a long secret"));
    const ServerReply reply = m_fixture->ask(requestOf(late, annLater));

    QCOMPARE(reply.status, late.status);
    QCOMPARE(reply.status < 300 ? headerOf(reply, "ETag") : codeOf(reply).toLatin1(), late.says);
    const bool isReplay = late.status != 409;
    QCOMPARE(headerOf(reply, "Idempotent-Replayed"), isReplay ? QByteArray("true") : QByteArray());
    QVERIFY(headerOf(reply, "Idempotency-Expires").isEmpty());
    QCOMPARE(entries(), entriesAfter);
}

/// Long after the tombstone has gone too, the entry itself knows who wrote it last.
void TestService::aPurgedRecordIsNotExecutedAgain()
{
    play({create("k1", "1.5").gets(201, "\"1\"", "false"),
          update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    m_fixture->write(QStringLiteral("DELETE FROM idempotency_records"));
    play({update("k2", "\"1\"", "3").gets(200, "\"2\"", "false"),
          create("k1", "1.5").gets(409, "CLIENT_ENTRY_ID_TAKEN", "false")});
    QCOMPARE(entries(), QStringLiteral("ann 2 3000"));
}

void TestService::aReceiptSaysWhatBecameOfIt()
{
    play({receipt("k1").gets(404, "OPERATION_UNKNOWN"), create("k1", "1.5").gets(201, "\"1\"", "false"),
          update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    const Instant doneAt = m_fixture->clock.now();
    m_fixture->clock.advance(std::chrono::minutes(1));

    ServerRequest request = requestOf(receipt("k2"), m_people[Ann]);
    request.headers.removeIf([](const auto &line) { return line.first == "Daybook-Account"; });
    const ServerReply reply = m_fixture->ask(request);
    QCOMPARE(reply.status, 200);
    const Receipt expected{200,
                           OperationType::UpdateEntry,
                           *ClientEntryId::fromString(QString::fromLatin1(entryOne)),
                           2,
                           doneAt,
                           doneAt + m_fixture->options.responseRetention};
    QVERIFY(decodeReceipt(reply.body) == expected);
    play({receipt("").gets(400, "IDEMPOTENCY_KEY_MISSING"),
          receipt("a b").gets(400, "IDEMPOTENCY_KEY_INVALID")});
}

void TestService::aLockedDatabaseIsToldAndNothingIsRemembered()
{
    play({read(entryTwo).gets(404, "ENTRY_NOT_FOUND")});
    const QString name = QStringLiteral("locker");
    {
        QSqlDatabase locker = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        locker.setDatabaseName(m_fixture->databasePath());
        QVERIFY(locker.open());
        QVERIFY(QSqlQuery(locker).exec(QStringLiteral("BEGIN IMMEDIATE")));
        const ServerReply reply = m_fixture->ask(requestOf(create("k1", "1.5"), m_people[Ann]));
        QCOMPARE(reply.status, 503);
        QCOMPARE(codeOf(reply), QStringLiteral("STORAGE_UNAVAILABLE"));
        QVERIFY(headerOf(reply, "Retry-After").toInt() > 0);
        QCOMPARE(m_fixture->ask({"GET", "/readyz", {}, {}, {}}).status, 503);
        QVERIFY(QSqlQuery(locker).exec(QStringLiteral("ROLLBACK")));
    }
    QSqlDatabase::removeDatabase(name);
    QCOMPARE(m_fixture->ask({"GET", "/readyz", {}, {}, {}}).status, 200);
    play({create("k1", "1.5").gets(201, "\"1\"", "false")});
}

void TestService::stateOfTheServer()
{
    QCOMPARE(m_fixture->ask({"GET", "/livez", {}, {}, {}}).status, 200);
    QCOMPARE(m_fixture->ask({"GET", "/readyz", {}, {}, {}}).status, 200);
    m_fixture->service().setNotReady();
    QCOMPARE(m_fixture->ask({"GET", "/livez", {}, {}, {}}).status, 200);
    QCOMPARE(m_fixture->ask({"GET", "/readyz", {}, {}, {}}).status, 503);
    play({create("k1", "1.5").gets(201, "\"1\"", "false")}); // what comes while it drains is served
}

void TestService::configuration()
{
    const auto config = decodeConfig(m_fixture->ask({"GET", "/v1/config", {}, {}, {}}).body);
    QVERIFY(config);
    QCOMPARE(config->responseRetention, m_fixture->options.responseRetention);
    QCOMPARE(config->tombstoneRetention, m_fixture->options.tombstoneRetention);
    QCOMPARE(config->maximumBodyBytes, 64 * 1024);
    QCOMPARE(config->schemaVersions, QList<int>{1});
    QCOMPARE(config->serverTime, m_fixture->clock.now());
    QVERIFY(config->registrationOpen);
}

void TestService::noPaths_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<int>("status");
    QTest::addColumn<QByteArray>("allow");

    const QByteArray one = "/v1/entries/" + entryOne;
    QTest::newRow("nowhere") << QByteArray("GET") << QByteArray("/v2/entries") << 404 << QByteArray();
    QTest::newRow("root") << QByteArray("GET") << QByteArray("/") << 404 << QByteArray();
    QTest::newRow("a slash too many")
        << QByteArray("POST") << QByteArray("/v1/entries/") << 404 << QByteArray();
    QTest::newRow("no id") << QByteArray("GET") << QByteArray("/v1/entries/abc") << 404 << QByteArray();
    QTest::newRow("below an id") << QByteArray("GET") << one + "/x" << 404 << QByteArray();
    QTest::newRow("entries") << QByteArray("GET") << QByteArray("/v1/entries") << 405 << QByteArray("POST");
    QTest::newRow("entry") << QByteArray("POST") << one << 405 << QByteArray("GET, PUT, DELETE");
    QTest::newRow("method in lower case")
        << QByteArray("get") << QByteArray("/livez") << 405 << QByteArray("GET");
    QTest::newRow("with a query") << QByteArray("GET") << QByteArray("/livez?x=1") << 200 << QByteArray();
}

void TestService::noPaths()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, target);
    QFETCH(const int, status);
    QFETCH(const QByteArray, allow);

    const ServerReply reply = m_fixture->ask({method, target, {}, {}, {}});
    QCOMPARE(reply.status, status);
    QCOMPARE(headerOf(reply, "Allow"), allow);
    const QString code = status == 404   ? QStringLiteral("NOT_FOUND")
                         : status == 405 ? QStringLiteral("METHOD_NOT_ALLOWED")
                                         : QString();
    QCOMPARE(codeOf(reply), code);
}

void TestService::theDatabaseIsPrivate()
{
    ServiceFixture fresh;
    fresh.start();
    signUp(fresh, QStringLiteral("ann"));
    for (const char *suffix : {"", "-wal", "-shm"}) {
        struct stat file = {};
        QCOMPARE(stat(fresh.databasePath().toUtf8() + suffix, &file), 0);
        QCOMPARE(file.st_mode & 0777U, 0600U);
    }
}

QTEST_GUILESS_MAIN(TestService)
#include "tst_service.moc"
