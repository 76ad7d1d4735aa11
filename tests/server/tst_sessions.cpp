#include "tests/server/servicefixture.h"

#include <QTest>

using namespace daybook;

namespace {

const QString secret = QStringLiteral("a long secret");

ServerRequest refreshRequest(const QByteArray &token)
{
    return jsonRequest("POST", "/v1/sessions/refresh", encodeRefresh(QString::fromLatin1(token)));
}

ServerRequest signUpRequest(const QString &username, const QString &password)
{
    return jsonRequest("POST", "/v1/accounts", encodeSignUp({username, password, QStringLiteral("Ann")}));
}

ServerRequest signInRequest(const QString &username, const QString &password)
{
    return jsonRequest("POST", "/v1/sessions", encodeSignIn({username, password, {}}));
}

} // namespace

/// Accounts, sessions and the rotation of their tokens.
class TestSessions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();

    void rotation_data();
    void rotation();
    void theFirstUseOfAPairIsNotedByAnyRequest_data();
    void theFirstUseOfAPairIsNotedByAnyRequest();
    void anAccessTokenExpires();
    void signingOutEndsThatSessionOnly();
    void signingUpTwiceIsSigningUpOnce();
    void aUserNameIsTakenInAnyCase();
    void registrationMayBeClosed();
    void wrongCredentialsAreNotToldApart();
    void malformedRequests_data();
    void malformedRequests();
    void accountsFromTheCommandLine();
    void aNewPasswordEndsAllSessions();
    void tokensAndPasswordsAreNotStored();

private:
    int statusWith(const QByteArray &accessToken);
    Person refreshed(const QByteArray &token);

    std::unique_ptr<ServiceFixture> m_fixture;
    QByteArray m_template; ///< a database with one account, signed in twice
    Person m_ann;
    Person m_annElsewhere;
};

void TestSessions::initTestCase()
{
    ServiceFixture fixture;
    fixture.start();
    m_ann = signUp(fixture, QStringLiteral("ann"));
    m_annElsewhere = signIn(fixture, QStringLiteral("ann"), secret);
    fixture.stop();
    m_template = fixture.databaseBytes();
}

void TestSessions::init()
{
    m_fixture = std::make_unique<ServiceFixture>(m_template);
    m_fixture->start();
}

void TestSessions::cleanup() { m_fixture.reset(); }

/// 404 where the token is accepted, 401 where not.
int TestSessions::statusWith(const QByteArray &accessToken)
{
    ServerRequest request{"GET", "/v1/entries/11111111-1111-4111-8111-111111111111", {}, {}, {}};
    request.headers.emplaceBack("Authorization", "Bearer " + accessToken);
    return m_fixture->ask(request).status;
}

Person TestSessions::refreshed(const QByteArray &token)
{
    return personOf(m_fixture->ask(refreshRequest(token)));
}

/// Each step is a letter and the number of a pair (1 is the one of the sign-in, each success of a refresh
/// makes the next): `r1` refreshes with it, `u1` uses its access token; `!` behind it expects a refusal. `+N`
/// lets N seconds pass.
void TestSessions::rotation_data()
{
    QTest::addColumn<QString>("steps");

    QTest::newRow("refresh, and both access tokens are good") << QStringLiteral("u1 r1 u2 u1");
    QTest::newRow("again and again") << QStringLiteral("r1 r2 u3 r3 u4");
    QTest::newRow("lost reply: another pair, the lost one is void") << QStringLiteral("u1 r1 r1 u2! u3");
    QTest::newRow("two lost replies") << QStringLiteral("r1 r1 r1 u2! u3! u4 r4 u5");
    QTest::newRow("lost reply, much later") << QStringLiteral("r1 +3000 r1 u2! u3");
    QTest::newRow("a voided refresh token has no consequences")
        << QStringLiteral("r1 r1 r2! u3 r2! +120 r2! u3");
    QTest::newRow("race: the new pair is in use") << QStringLiteral("r1 u2 r1! +59 r1! u2 r2 u3");
    QTest::newRow("race after a lost reply") << QStringLiteral("r1 r1 u3 r1! u3");
    QTest::newRow("the previous one long after: all end") << QStringLiteral("r1 u2 +61 r1! u2! r2! u1!");
    QTest::newRow("an older one: all end") << QStringLiteral("r1 r2 r1! u3! r3! u1! u2!");
    QTest::newRow("only the first use counts") << QStringLiteral("r1 u2 +50 u2 +11 r1! u2!");
}

void TestSessions::rotation()
{
    QFETCH(const QString, steps);
    QList<Person> pairs = {m_ann};

    for (QString step : steps.split(QLatin1Char(' '))) {
        const bool refusal = step.endsWith(QLatin1Char('!'));
        if (refusal)
            step.chop(1);
        const int number = step.mid(1).toInt();
        if (step.startsWith(QLatin1Char('+'))) {
            m_fixture->clock.advance(std::chrono::seconds(number));
            continue;
        }
        QVERIFY2(number <= pairs.size(), qPrintable(step));
        const Person &pair = pairs[number - 1];
        if (step.startsWith(QLatin1Char('u'))) {
            QVERIFY2(statusWith(pair.accessToken) == (refusal ? 401 : 404), qPrintable(step));
            continue;
        }
        const ServerReply reply = m_fixture->ask(refreshRequest(pair.refreshToken));
        QVERIFY2(reply.status == (refusal ? 401 : 200), qPrintable(step));
        if (refusal)
            QCOMPARE(headerOf(reply, "WWW-Authenticate"), QByteArray("Bearer"));
        else
            pairs.append(personOf(reply));
    }
    QCOMPARE(m_fixture->ask(refreshRequest(m_annElsewhere.refreshToken)).status, 200); // not of the family
}

void TestSessions::theFirstUseOfAPairIsNotedByAnyRequest_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("target");
    QTest::newRow("a read") << QByteArray("GET")
                            << QByteArray("/v1/entries/11111111-1111-4111-8111-111111111111");
    QTest::newRow("a receipt") << QByteArray("GET") << QByteArray("/v1/receipts");
    QTest::newRow("a refused write") << QByteArray("POST") << QByteArray("/v1/entries");
    QTest::newRow("a write") << QByteArray("DELETE")
                             << QByteArray("/v1/entries/11111111-1111-4111-8111-111111111111");
}

void TestSessions::theFirstUseOfAPairIsNotedByAnyRequest()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, target);
    const Person next = refreshed(m_ann.refreshToken);
    ServerRequest request = asked({method, target, {}, {}, {}}, next);
    request.headers.emplaceBack("Idempotency-Key", "k1");
    request.headers.emplaceBack("If-Match", "\"1\"");

    QVERIFY(m_fixture->ask(request).status != 401);

    QCOMPARE(m_fixture->ask(refreshRequest(m_ann.refreshToken)).status, 401);
    QCOMPARE(statusWith(next.accessToken), 404);
}

void TestSessions::anAccessTokenExpires()
{
    m_fixture->clock.advance(m_fixture->options.accessTokenLifetime - Milliseconds(1));
    QCOMPARE(statusWith(m_ann.accessToken), 404);
    m_fixture->clock.advance(Milliseconds(1));
    const ServerReply reply = m_fixture->ask(asked({"GET", "/v1/receipts", {}, {}, {}}, m_ann));
    QCOMPARE(reply.status, 401);
    QCOMPARE(codeOf(reply), QStringLiteral("TOKEN_EXPIRED"));
    m_fixture->clock.advance(std::chrono::hours(24 * 365));
    QCOMPARE(statusWith(refreshed(m_ann.refreshToken).accessToken), 404);
}

void TestSessions::signingOutEndsThatSessionOnly()
{
    const ServerRequest signOut = asked({"DELETE", "/v1/sessions/current", {}, {}, {}}, m_ann);

    QCOMPARE(m_fixture->ask(signOut).status, 204);
    QCOMPARE(m_fixture->ask(signOut).status, 401);
    QCOMPARE(m_fixture->ask(refreshRequest(m_ann.refreshToken)).status, 401);
    QCOMPARE(statusWith(m_annElsewhere.accessToken), 404);
}

void TestSessions::signingUpTwiceIsSigningUpOnce()
{
    const ServerRequest request = signUpRequest(QStringLiteral("carl"), secret);
    const ServerReply first = m_fixture->ask(request);
    const ServerReply second = m_fixture->ask(request);
    QCOMPARE(first.status, 201);
    QCOMPARE(second.status, 200);
    QCOMPARE(second.body, first.body);
    const auto account = decodeAccount(first.body);
    QVERIFY(account);
    QCOMPARE(account->username, QStringLiteral("carl"));
    QCOMPARE(account->displayName, QStringLiteral("Ann"));
}

void TestSessions::aUserNameIsTakenInAnyCase()
{
    QCOMPARE(m_fixture->ask(signUpRequest(QStringLiteral("Änne"), secret)).status, 201);
    const ServerReply taken =
        m_fixture->ask(signUpRequest(QStringLiteral("äNNE"), QStringLiteral("other words")));
    QCOMPARE(taken.status, 409);
    QCOMPARE(codeOf(taken), QStringLiteral("USERNAME_TAKEN"));
    const auto session = decodeSession(m_fixture->ask(signInRequest(QStringLiteral("ÄNNE"), secret)).body);
    QVERIFY(session);
    QCOMPARE(session->account.username, QStringLiteral("Änne"));
    QCOMPARE(session->expiresIn, std::chrono::seconds(3600));
}

void TestSessions::registrationMayBeClosed()
{
    m_fixture->stop();
    m_fixture->options.registrationOpen = false;
    m_fixture->start();
    for (const auto &username : {QStringLiteral("ann"), QStringLiteral("bob")}) {
        const ServerReply reply = m_fixture->ask(signUpRequest(username, secret));
        QCOMPARE(reply.status, 403);
        QCOMPARE(codeOf(reply), QStringLiteral("REGISTRATION_CLOSED"));
    }
    QCOMPARE(m_fixture->ask(signInRequest(QStringLiteral("ann"), secret)).status, 201);
}

void TestSessions::wrongCredentialsAreNotToldApart()
{
    const ServerReply wrong =
        m_fixture->ask(signInRequest(QStringLiteral("ann"), QStringLiteral("not the secret")));
    const ServerReply unknown = m_fixture->ask(signInRequest(QStringLiteral("bob"), secret));
    QCOMPARE(wrong.status, 401);
    QCOMPARE(codeOf(wrong), QStringLiteral("INVALID_CREDENTIALS"));
    QCOMPARE(unknown.status, wrong.status);
    QCOMPARE(unknown.body, wrong.body);
    QCOMPARE(headerOf(unknown, "WWW-Authenticate"), QByteArray("Bearer"));
}

void TestSessions::malformedRequests_data()
{
    QTest::addColumn<QByteArray>("target");
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("status");

    for (const QByteArray target : {"/v1/accounts", "/v1/sessions", "/v1/sessions/refresh"}) {
        QTest::addRow("%s, no JSON", target.constData()) << target << QByteArray("nonsense") << 400;
        QTest::addRow("%s, nothing in it", target.constData()) << target << QByteArray("{}") << 422;
        QTest::addRow("%s, no body and no type", target.constData()) << target << QByteArray() << 415;
    }
    QTest::newRow("a short password")
        << QByteArray("/v1/accounts")
        << QByteArray("{\"username\":\"ann\",\"password\":\"short\",\"displayName\":\"\"}") << 422;
}

void TestSessions::malformedRequests()
{
    QFETCH(const QByteArray, target);
    QFETCH(const QByteArray, body);
    QFETCH(const int, status);
    QCOMPARE(m_fixture->ask(jsonRequest("POST", target, body)).status, status);
}

void TestSessions::accountsFromTheCommandLine()
{
    m_fixture->stop();
    m_fixture->options.registrationOpen = false;
    m_fixture->start();
    Service &service = m_fixture->service();
    QVERIFY(service.addAccount(QStringLiteral("carl"), secret, QStringLiteral("Carl")));
    QVERIFY(service.addAccount(QStringLiteral("CARL"), secret, {}));
    QCOMPARE(m_fixture->ask(signInRequest(QStringLiteral("carl"), secret)).status, 201);

    const auto taken = service.addAccount(QStringLiteral("carl"), QStringLiteral("other words"), {});
    QVERIFY(!taken);
    QCOMPARE(taken.error().kind, ErrorKind::Refused);
    const auto tooShort = service.addAccount(QStringLiteral("bob"), QStringLiteral("short"), {});
    QVERIFY(!tooShort);
    QCOMPARE(tooShort.error().kind, ErrorKind::InvalidArgument);
    QVERIFY(!tooShort.error().detail.isEmpty());
}

void TestSessions::aNewPasswordEndsAllSessions()
{
    const QString changed = QStringLiteral("another secret");
    const Person bob = signUp(*m_fixture, QStringLiteral("bob"));
    QVERIFY(m_fixture->service().changePassword(QStringLiteral("Ann"), changed));

    QCOMPARE(statusWith(m_ann.accessToken), 401);
    QCOMPARE(m_fixture->ask(refreshRequest(m_ann.refreshToken)).status, 401);
    QCOMPARE(m_fixture->ask(signInRequest(QStringLiteral("ann"), secret)).status, 401);
    QCOMPARE(m_fixture->ask(signInRequest(QStringLiteral("ann"), changed)).status, 201);
    QCOMPARE(statusWith(bob.accessToken), 404);

    const auto unknown = m_fixture->service().changePassword(QStringLiteral("nobody"), changed);
    QVERIFY(!unknown);
    QCOMPARE(unknown.error().kind, ErrorKind::NotFound);
}

void TestSessions::tokensAndPasswordsAreNotStored()
{
    QVERIFY(m_template.contains("$argon2id$"));
    for (const QByteArray &hidden : {secret.toUtf8(), m_ann.accessToken, m_ann.refreshToken})
        QVERIFY(!m_template.contains(hidden));
}

QTEST_GUILESS_MAIN(TestSessions)
#include "tst_sessions.moc"
