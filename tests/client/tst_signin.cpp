#include "sync/client/signin.h"
#include "sync/protocol/messages.h"
#include "tests/support/faketransport.h"

#include <QSignalSpy>
#include <QTest>

using namespace daybook;

namespace {

const AccountResource kim{QStringLiteral("account-1"), QStringLiteral("kim"), QStringLiteral("Kim")};
const QString server = QStringLiteral("http://127.0.0.1:8080");
const QString username = QStringLiteral("kim");
const QString password = QStringLiteral("correct horse");

TransportReply sessionReply()
{
    return ownReply(201, encodeSession({QStringLiteral("access-1"), std::chrono::seconds(900),
                                        QStringLiteral("refresh-1"), kim}));
}

/// A sign-in over a fake network, and what it said.
struct Desk
{
    explicit Desk(std::unique_ptr<FakeTransport> real = std::make_unique<FakeTransport>())
        : network(*real),
          signIn(std::move(real))
    {
        QObject::connect(&signIn, &SignIn::signedUp, [this](const Account &a) { accounts.append(a); });
        QObject::connect(&signIn, &SignIn::signedIn,
                         [this](const SignIn::Outcome &o) { outcomes.append(o); });
        QObject::connect(&signIn, &SignIn::failed, [this](const Error &e) { errors.append(e); });
    }

    FakeTransport &network;
    SignIn signIn;
    QList<Account> accounts;
    QList<SignIn::Outcome> outcomes;
    QList<Error> errors;
};

} // namespace

Q_DECLARE_METATYPE(TransportReply)

class TestSignIn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void signsUp();
    void signsIn();
    void signsOutWhateverTheServerSays();
    void origins_data();
    void origins();
    void failures_data();
    void failures();
    void cancelling();
    void destroyingAborts();
};

void TestSignIn::signsUp()
{
    Desk desk;
    desk.signIn.signUp(server, username, password, kim.displayName);
    QCOMPARE(desk.network.last().url, QUrl(server + QStringLiteral("/v1/accounts")));
    desk.network.answerLast(ownReply(201, encodeAccount(kim)));
    QCOMPARE(desk.accounts.size(), 1);
    QCOMPARE(desk.accounts[0].serverOrigin, server);
    QCOMPARE(desk.accounts[0].serverAccountId, kim.accountId);
    QCOMPARE(desk.accounts[0].displayName, kim.displayName);

    desk.signIn.signUp(server, username, password, kim.displayName);
    desk.network.answerLast(ownReply(200, encodeAccount(kim))); // the first reply was lost
    QCOMPARE(desk.accounts.size(), 2);
    QVERIFY(desk.errors.isEmpty());
}

void TestSignIn::signsIn()
{
    Desk desk;
    desk.signIn.signIn(server, username, password);
    desk.network.answerLast(sessionReply());
    QCOMPARE(desk.outcomes.size(), 1);
    QCOMPARE(desk.outcomes[0].account.serverAccountId, kim.accountId);
    QCOMPARE(desk.outcomes[0].account.username, kim.username);
    QCOMPARE(desk.outcomes[0].tokens, (TokenPair{QStringLiteral("access-1"), QStringLiteral("refresh-1")}));
}

void TestSignIn::signsOutWhateverTheServerSays()
{
    Desk desk;
    QSignalSpy signedOut(&desk.signIn, &SignIn::signedOut);
    for (const TransportReply &reply :
         {ownReply(204), problemReply(401, "UNAUTHENTICATED"), TransportReply()}) {
        desk.signIn.signOut(server, QStringLiteral("access-1"));
        desk.network.answerLast(reply);
    }
    QCOMPARE(signedOut.size(), 3);
    QVERIFY(desk.errors.isEmpty());
}

void TestSignIn::origins_data()
{
    QTest::addColumn<QString>("origin"); // empty: refused
    const auto row = [](const char *typed, const char *origin) {
        QTest::newRow(typed) << QString::fromLatin1(origin);
    };
    row("http://127.0.0.1:8080", "http://127.0.0.1:8080");
    row("http://127.0.0.1:8080/", "http://127.0.0.1:8080");
    row(" https://Example.org ", "https://example.org");
    row("HTTPS://example.org:443", "https://example.org");
    row("http://example.org:80", "http://example.org");
    row("https://example.org:8443", "https://example.org:8443");
    row("http://[::1]:8080", "http://[::1]:8080");
    for (const char *refused : {"example.org", "ftp://example.org", "https://", "https://kim:pw@example.org",
                                "https://example.org/daybook", "https://example.org?x=1",
                                "https://example.org#x", "https://exa mple.org", "http://example.org:99999"})
        row(refused, "");
}

void TestSignIn::origins()
{
    QFETCH(const QString, origin);
    Desk desk;
    desk.signIn.signIn(QString::fromLatin1(QTest::currentDataTag()), username, password);
    QVERIFY(desk.errors.isEmpty()); // an answer never comes from inside the call
    if (!origin.isEmpty()) {
        desk.network.answerLast(sessionReply());
        QCOMPARE(desk.outcomes.at(0).account.serverOrigin, origin);
        return;
    }
    QTRY_COMPARE(desk.errors.size(), 1);
    QCOMPARE(desk.errors[0].kind, ErrorKind::InvalidArgument);
    QCOMPARE(desk.network.count(), 0U);
}

void TestSignIn::failures_data()
{
    QTest::addColumn<TransportReply>("reply");
    QTest::addColumn<ErrorKind>("kind");
    QTest::addColumn<QString>("code");
    TransportReply notConnected;
    notConnected.end = TransportReply::End::NotConnected;
    notConnected.errorText = QStringLiteral("Connection refused");
    const auto row = [](const char *name, const TransportReply &reply, ErrorKind kind, const char *code) {
        QTest::newRow(name) << reply << kind << QString::fromLatin1(code);
    };
    row("no connection", notConnected, ErrorKind::Network, "NOT_REACHABLE");
    row("sign-in page", foreignReply(200, "<html>"), ErrorKind::Network, "UNEXPECTED_REPLY");
    row("session of a stranger", foreignReply(201, sessionReply().body), ErrorKind::Network,
        "UNEXPECTED_REPLY");
    row("other JSON", ownReply(201, "{}"), ErrorKind::Network, "UNEXPECTED_REPLY");
    row("503", problemReply(503, "STORAGE_UNAVAILABLE"), ErrorKind::Network, "STORAGE_UNAVAILABLE");
    row("wrong password", problemReply(401, "INVALID_CREDENTIALS"), ErrorKind::Credentials,
        "INVALID_CREDENTIALS");
    row("name taken", problemReply(409, "USERNAME_TAKEN"), ErrorKind::Refused, "USERNAME_TAKEN");
    row("closed", problemReply(403, "REGISTRATION_CLOSED"), ErrorKind::Refused, "REGISTRATION_CLOSED");
}

void TestSignIn::failures()
{
    QFETCH(const TransportReply, reply);
    Desk desk;
    desk.signIn.signIn(server, username, password);
    desk.network.answerLast(reply);
    desk.signIn.signUp(server, username, password, {});
    desk.network.answerLast(reply);
    QCOMPARE(desk.errors.size(), 2);
    for (const Error &error : desk.errors) {
        QTEST(error.kind, "kind");
        QTEST(error.code, "code");
        QVERIFY(!error.detail.isEmpty());
        QVERIFY(!error.detail.contains(password));
    }
    QVERIFY(desk.outcomes.isEmpty());
    QVERIFY(desk.accounts.isEmpty());
}

void TestSignIn::cancelling()
{
    Desk desk;
    desk.signIn.cancel(); // nothing is under way
    desk.signIn.signIn(server, username, password);
    desk.signIn.cancel();
    QVERIFY(!desk.network.isOpen(0));
    desk.signIn.signIn(server, username, password);
    desk.network.answerLast(sessionReply());
    QCOMPARE(desk.outcomes.size(), 1);
    QVERIFY(desk.errors.isEmpty());
}

void TestSignIn::destroyingAborts()
{
    // The fake must outlive the sign-in to be asked, so it is reached through a decorator.
    class Borrowed final : public Transport
    {
    public:
        explicit Borrowed(FakeTransport &network) : m_network(network) {}
        std::unique_ptr<TransportCall> send(const TransportRequest &request, Handler handler) override
        {
            return m_network.send(request, std::move(handler));
        }

    private:
        FakeTransport &m_network;
    };
    FakeTransport network;
    auto signIn = std::make_unique<SignIn>(std::make_unique<Borrowed>(network));
    signIn->signIn(server, username, password);
    QVERIFY(network.isOpen(0));
    signIn.reset();
    QVERIFY(!network.isOpen(0));
}

QTEST_GUILESS_MAIN(TestSignIn)
#include "tst_signin.moc"
