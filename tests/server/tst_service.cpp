#include "tests/server/conversation.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace daybook;
using namespace std::chrono_literals;

namespace {

ServerRequest signInRequest()
{
    return jsonRequest("POST", "/v1/sessions",
                       encodeSignIn({QStringLiteral("ann"), QStringLiteral("another secret"), {}}));
}

/// No file of this process can grow any more, so that a COMMIT fails as on a full disk.
class FullDisk
{
public:
    FullDisk()
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit none{0, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &none);
    }
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &m_before); }
    Q_DISABLE_COPY_MOVE(FullDisk)

private:
    rlimit m_before = {};
};

} // namespace

/// The service as a whole: its state, its paths, its database.
class TestService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { m_known = TwoPeople::signedUp(); }
    void init() { m_service = std::make_unique<Conversation>(m_known); }
    void cleanup() { m_service.reset(); }

    void aLockedDatabaseIsToldAndNothingIsRemembered();
    void aFullDiskIsToldAndNothingIsRemembered();
    void tooManyPasswordsAtOnceAreTurnedAway();
    void theEndDoesNotCheckPasswordsThatWait();
    void stateOfTheServer();
    void configuration();
    void noPaths_data();
    void noPaths();
    void theDatabaseIsPrivate();

private:
    /// Keeps the thread that checks passwords busy until the promise is kept.
    void holdPasswords(std::promise<void> &release);

    TwoPeople m_known;
    std::unique_ptr<Conversation> m_service;
};

void TestService::aLockedDatabaseIsToldAndNothingIsRemembered()
{
    m_service->play({read(entryTwo).gets(404, "ENTRY_NOT_FOUND")});
    const QString name = QStringLiteral("locker");
    {
        QSqlDatabase locker = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        locker.setDatabaseName(m_service->databasePath());
        QVERIFY(locker.open());
        QVERIFY(QSqlQuery(locker).exec(QStringLiteral("BEGIN IMMEDIATE")));
        const ServerReply reply = m_service->ask(m_service->request(create("k1", "1.5")));
        QCOMPARE(reply.status, 503);
        QCOMPARE(codeOf(reply), QStringLiteral("STORAGE_UNAVAILABLE"));
        QVERIFY(headerOf(reply, "Retry-After").toInt() > 0);
        QCOMPARE(m_service->ask({"GET", "/readyz", {}, {}, {}}).status, 503);
        QVERIFY(QSqlQuery(locker).exec(QStringLiteral("ROLLBACK")));
    }
    QSqlDatabase::removeDatabase(name);
    QCOMPARE(m_service->ask({"GET", "/readyz", {}, {}, {}}).status, 200);
    m_service->play({create("k1", "1.5").gets(201, "\"1\"", "false")});
}

void TestService::aFullDiskIsToldAndNothingIsRemembered()
{
    const QList<Step> steps = {create("k1", "1.5"), create("k2", "2.5", entryTwo)};
    m_service->play({read().gets(404, "ENTRY_NOT_FOUND")}); // notes the first use of the session
    QList<ServerReply> replies;
    {
        const FullDisk full;
        std::vector<std::future<ServerReply>> answers;
        for (const Step &step : steps)
            answers.push_back(m_service->askAtOnce(m_service->request(step)));
        for (auto &answer : answers)
            replies.append(answer.get());
    }
    for (const ServerReply &reply : replies) {
        QCOMPARE(reply.status, 503);
        QCOMPARE(codeOf(reply), QStringLiteral("STORAGE_UNAVAILABLE"));
        QVERIFY(headerOf(reply, "Retry-After").toInt() > 0);
    }
    m_service->play({receipt("k1").gets(404, "OPERATION_UNKNOWN"),
                     receipt("k2").gets(404, "OPERATION_UNKNOWN"), read().gets(404, "ENTRY_NOT_FOUND")});
    for (const Step &step : steps)
        m_service->play({step.gets(201, "\"1\"", "false"), step.gets(201, "\"1\"", "true")});
}

void TestService::holdPasswords(std::promise<void> &release)
{
    std::promise<void> begun;
    m_service->service().handle(signInRequest(), [&begun, held = release.get_future().share()](ServerReply) {
        begun.set_value();
        held.wait();
    });
    begun.get_future().wait();
}

void TestService::tooManyPasswordsAtOnceAreTurnedAway()
{
    std::promise<void> release;
    holdPasswords(release);
    std::vector<std::future<ServerReply>> waiting;
    for (int i = 0; i < 64; ++i)
        waiting.push_back(m_service->askAtOnce(signInRequest()));
    auto tooMuch = m_service->askAtOnce(signInRequest());
    const bool answeredAtOnce = tooMuch.wait_for(0s) == std::future_status::ready;
    release.set_value();
    QVERIFY(answeredAtOnce);
    const ServerReply reply = tooMuch.get();
    QCOMPARE(reply.status, 429);
    QCOMPARE(codeOf(reply), QStringLiteral("RATE_LIMITED"));
    QVERIFY(headerOf(reply, "Retry-After").toInt() > 0);
    QCOMPARE(waiting.front().get().status, 401);
}

void TestService::theEndDoesNotCheckPasswordsThatWait()
{
    std::promise<void> release;
    holdPasswords(release);
    auto waiting = m_service->askAtOnce(signInRequest());
    auto ended = std::async(std::launch::async, [this] { m_service->stop(); });
    const bool answeredAtOnce = waiting.wait_for(5s) == std::future_status::ready;
    release.set_value();
    QVERIFY(answeredAtOnce);
    const ServerReply reply = waiting.get();
    QCOMPARE(reply.status, 503);
    QCOMPARE(codeOf(reply), QStringLiteral("STORAGE_UNAVAILABLE"));
    QVERIFY(headerOf(reply, "Retry-After").toInt() > 0);
}

void TestService::stateOfTheServer()
{
    QCOMPARE(m_service->ask({"GET", "/livez", {}, {}, {}}).status, 200);
    QCOMPARE(m_service->ask({"GET", "/readyz", {}, {}, {}}).status, 200);
    m_service->service().setNotReady();
    QCOMPARE(m_service->ask({"GET", "/livez", {}, {}, {}}).status, 200);
    QCOMPARE(m_service->ask({"GET", "/readyz", {}, {}, {}}).status, 503);
    m_service->play(
        {create("k1", "1.5").gets(201, "\"1\"", "false")}); // what comes while it drains is served
}

void TestService::configuration()
{
    const auto config = decodeConfig(m_service->ask({"GET", "/v1/config", {}, {}, {}}).body);
    QVERIFY(config);
    QCOMPARE(config->responseRetention, m_service->options.responseRetention);
    QCOMPARE(config->tombstoneRetention, m_service->options.tombstoneRetention);
    QCOMPARE(config->maximumBodyBytes, 64 * 1024);
    QCOMPARE(config->schemaVersions, QList<int>{1});
    QCOMPARE(config->serverTime, m_service->clock.now());
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

    const ServerReply reply = m_service->ask({method, target, {}, {}, {}});
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
