#include "tests/server/conversation.h"

#include <QTest>

#include <thread>

using namespace daybook;

/// What a repeat gets: at once, late, under another payload, after a restart.
class TestIdempotency : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_known = TwoPeople::signedUp(); }
    void init() { m_service = std::make_unique<Conversation>(m_known); }
    void cleanup() { m_service.reset(); }

    void aReplayIsTheSameToTheByte();
    void everySpellingOfOneRequestIsOneRequest();
    void copiesAtOnceAreOneEntry();
    void aReusedKeySaysWhatDiffers();
    void aRefusedRequestLeavesTheKeyUnused();
    void everythingOutlivesARestart();
    void anExpiredResponseIsNotExecutedAgain_data();
    void anExpiredResponseIsNotExecutedAgain();
    void aPurgedRecordIsNotExecutedAgain();
    void aPurgedKeyIsNotGivenToAnotherRequest();
    void aReceiptSaysWhatBecameOfIt();

private:
    TwoPeople m_known;
    std::unique_ptr<Conversation> m_service;
};

void TestIdempotency::aReplayIsTheSameToTheByte()
{
    const ServerRequest request = m_service->request(create("k1", "1.5"));
    const ServerReply first = m_service->ask(request);
    m_service->clock.advance(std::chrono::minutes(10));
    const ServerReply second = m_service->ask(request);

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

void TestIdempotency::everySpellingOfOneRequestIsOneRequest()
{
    m_service->play({create("k1", "1.50").gets(201, "\"1\"", "false")});
    Step other = create("\"k1\"", "15e-1");
    other.body = "{ \"note\": null, \"value\": 15e-1, \"recordedAt\": \"2026-01-13T00:10:00Z\","
                 " \"clientEntryId\": \"" +
                 entryOne.toUpper() + "\", \"schemaVersion\": 1 }";
    m_service->play({other.gets(201, "\"1\"", "true")});
}

void TestIdempotency::copiesAtOnceAreOneEntry()
{
    constexpr int copies = 5;
    const ServerRequest request = m_service->request(create("k1", "1.5"));
    std::vector<std::future<ServerReply>> answers(copies);
    std::vector<std::thread> threads;
    for (auto &answer : answers)
        threads.emplace_back([&] { answer = m_service->askAtOnce(request); });
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
    QCOMPARE(m_service->entries(), QStringLiteral("ann 1 1500"));
}

void TestIdempotency::aReusedKeySaysWhatDiffers()
{
    Step step = create("k1", "1.5");
    m_service->ask(m_service->request(step));
    step.body = createJson(entryOne, "2", "secret words");
    const ServerReply reply = m_service->ask(m_service->request(step));

    const auto problem = decodeProblem(reply.body, reply.status);
    QVERIFY(problem);
    QCOMPARE(problem->code, ProblemCode::IdempotencyKeyReused);
    QCOMPARE(problem->differingFields, QStringList({QStringLiteral("value"), QStringLiteral("note")}));
    QVERIFY(!reply.body.contains("secret"));
    QVERIFY(headerOf(reply, "Retry-After").isEmpty());
    QCOMPARE(m_service->entries(), QStringLiteral("ann 1 1500"));
}

void TestIdempotency::aRefusedRequestLeavesTheKeyUnused()
{
    Step step = remove("k1", "\"1\"");
    step.body = "{}";
    m_service->play({step.gets(400, "MALFORMED_REQUEST"), create("k1", "1.5").gets(201, "\"1\"", "false")});
}

void TestIdempotency::everythingOutlivesARestart()
{
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "false"),
                     update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    m_service->stop();
    m_service->start();
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "true"),
                     update("k2", "\"1\"", "3").gets(200, "\"2\"", "true"),
                     update("k3", "\"1\"", "4").gets(412, "VERSION_CONFLICT", "false"),
                     read().gets(200, "\"2\"")});
    QCOMPARE(m_service->entries(), QStringLiteral("ann 2 3000"));
}

void TestIdempotency::anExpiredResponseIsNotExecutedAgain_data()
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

void TestIdempotency::anExpiredResponseIsNotExecutedAgain()
{
    QFETCH(const QList<Step>, before);
    QFETCH(const Step, late);
    QFETCH(const QString, entriesAfter);

    m_service->play(before);
    m_service->clock.advance(m_service->options.responseRetention);
    const Person annLater = signIn(*m_service, QStringLiteral("ann"), QStringLiteral("a long secret"));
    const ServerReply reply = m_service->ask(requestOf(late, annLater));

    QCOMPARE(reply.status, late.status);
    QCOMPARE(reply.status < 300 ? headerOf(reply, "ETag") : codeOf(reply).toLatin1(), late.says);
    const bool isReplay = late.status != 409;
    QCOMPARE(headerOf(reply, "Idempotent-Replayed"), isReplay ? QByteArray("true") : QByteArray());
    QVERIFY(headerOf(reply, "Idempotency-Expires").isEmpty());
    QCOMPARE(m_service->entries(), entriesAfter);
}

/// Long after the tombstone has gone too, the entry itself knows who wrote it last.
void TestIdempotency::aPurgedRecordIsNotExecutedAgain()
{
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "false"),
                     update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    m_service->write(QStringLiteral("DELETE FROM idempotency_records"));
    m_service->play({update("k2", "\"1\"", "3").gets(200, "\"2\"", "false"),
                     create("k1", "1.5").gets(409, "CLIENT_ENTRY_ID_TAKEN", "false")});
    QCOMPARE(m_service->entries(), QStringLiteral("ann 2 3000"));
}

/// Nor is another request under its key, and the key keeps its meaning.
void TestIdempotency::aPurgedKeyIsNotGivenToAnotherRequest()
{
    const QByteArray reused = "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD";
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "false")});
    m_service->write(QStringLiteral("DELETE FROM idempotency_records"));
    m_service->play({create("k1", "9").gets(409, reused), update("k1", "\"1\"", "9").gets(409, reused),
                     remove("k1", "\"1\"").gets(409, reused), create("k1", "1.5").gets(200, "\"1\"", "false"),
                     remove("k2", "\"1\"").gets(204, "\"2\"", "false")});
    m_service->write(QStringLiteral("DELETE FROM idempotency_records"));
    m_service->play(
        {update("k2", "\"2\"", "9").gets(409, reused), remove("k2", "\"1\"").gets(204, "\"2\"", "false")});
    QCOMPARE(m_service->entries(), QStringLiteral("ann 2 0 deleted"));
}

void TestIdempotency::aReceiptSaysWhatBecameOfIt()
{
    m_service->play({receipt("k1").gets(404, "OPERATION_UNKNOWN"),
                     create("k1", "1.5").gets(201, "\"1\"", "false"),
                     update("k2", "\"1\"", "3").gets(200, "\"2\"", "false")});
    const Instant doneAt = m_service->clock.now();
    m_service->clock.advance(std::chrono::minutes(1));

    ServerRequest request = m_service->request(receipt("k2"));
    request.headers.removeIf([](const auto &line) { return line.first == "Daybook-Account"; });
    const ServerReply reply = m_service->ask(request);
    QCOMPARE(reply.status, 200);
    const Receipt expected{200,
                           OperationType::UpdateEntry,
                           *ClientEntryId::fromString(QString::fromLatin1(entryOne)),
                           2,
                           doneAt,
                           doneAt + m_service->options.responseRetention};
    QVERIFY(decodeReceipt(reply.body) == expected);
    m_service->play({receipt("").gets(400, "IDEMPOTENCY_KEY_MISSING"),
                     receipt("a b").gets(400, "IDEMPOTENCY_KEY_INVALID")});
}

QTEST_GUILESS_MAIN(TestIdempotency)
#include "tst_idempotency.moc"
