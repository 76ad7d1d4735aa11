#include "tests/server/conversation.h"

#include <QTest>

using namespace daybook;

/// Requests on entries, from the first header to the rows they leave behind.
class TestEntries : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_known = TwoPeople::signedUp(); }
    void init() { m_service = std::make_unique<Conversation>(m_known); }
    void cleanup() { m_service.reset(); }

    void conversation_data();
    void conversation();
    void headersAreJudgedBeforeTheBody_data();
    void headersAreJudgedBeforeTheBody();

    void damagedEntriesAreNotShown();

private:
    TwoPeople m_known;
    std::unique_ptr<Conversation> m_service;
};

void TestEntries::conversation_data()
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
    row("update that knows no version",
        {created, update("k2", "\"0\"", "3").gets(412, "VERSION_CONFLICT", first)}, "ann 1 1500", 2);
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

void TestEntries::conversation()
{
    QFETCH(const QList<Step>, steps);
    QFETCH(const QString, entriesAfter);
    QFETCH(const int, remembered);

    m_service->play(steps);

    QCOMPARE(m_service->entries(), entriesAfter);
    QCOMPARE(m_service->read(QStringLiteral("SELECT count(*) FROM idempotency_records")).toInt(), remembered);
    QCOMPARE(m_service->read(QStringLiteral("SELECT count(*) FROM idempotency_records"
                                            " WHERE status <> 'completed' OR completed_at IS NULL")),
             QStringLiteral("0"));
    // The change numbers of an account have no holes before its latest one.
    QCOMPARE(m_service->read(QStringLiteral("SELECT username FROM accounts JOIN entries USING (actor_id)"
                                            " GROUP BY actor_id HAVING max(change_number) <> last_change")),
             QString());
}

void TestEntries::headersAreJudgedBeforeTheBody_data()
{
    QTest::addColumn<QList<QByteArray>>("headers");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("code");

    const QByteArray bearer = "Authorization: Bearer " + m_known.people[Ann].accessToken;
    const QByteArray account = "Daybook-Account: " + m_known.people[Ann].accountId;
    const QByteArray other = "Daybook-Account: " + m_known.people[Bob].accountId;
    const QByteArray json = "Content-Type: application/json";
    const QByteArray key = "Idempotency-Key: k1";
    const QByteArray good = createJson(entryOne, "1.5");
    const auto row = [](const char *name, const QList<QByteArray> &headers, const QByteArray &body,
                        int status, const char *code) {
        QTest::newRow(name) << headers << body << status << QString::fromLatin1(code);
    };

    row("all is well", {bearer, account, json, key}, good, 201, "");
    row("names in any case",
        {"authorization: bearer " + m_known.people[Ann].accessToken, account.toLower(),
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

void TestEntries::headersAreJudgedBeforeTheBody()
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
    const ServerReply reply = m_service->ask(request);

    QCOMPARE(reply.status, status);
    QCOMPARE(codeOf(reply), code);
    QCOMPARE(headerOf(reply, "WWW-Authenticate"), status == 401 ? QByteArray("Bearer") : QByteArray());
    QCOMPARE(reply.contentType,
             status < 300 ? QByteArray("application/json") : QByteArray("application/problem+json"));
    QCOMPARE(m_service->entries(), status < 300 ? QStringLiteral("ann 1 1500") : QString());
}

void TestEntries::damagedEntriesAreNotShown()
{
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "false")});
    m_service->write(QStringLiteral("UPDATE entries SET value = 1000000000000000"));
    m_service->play({read().gets(500, "INTERNAL_ERROR"),
                     update("k2", "\"1\"", "3").gets(500, "INTERNAL_ERROR"),
                     receipt("k2").gets(404, "OPERATION_UNKNOWN")});
    m_service->write(QStringLiteral("UPDATE idempotency_records SET client_entry_id = 'x'"));
    m_service->play({receipt("k1").gets(500, "INTERNAL_ERROR")});
}

QTEST_GUILESS_MAIN(TestEntries)
#include "tst_entries.moc"
