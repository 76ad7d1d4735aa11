#include "sync/client/session.h"
#include "sync/protocol/messages.h"
#include "tests/support/fakeclock.h"
#include "tests/support/faketransport.h"
#include "tests/support/fakewakeup.h"
#include "tests/support/memorytokenstore.h"

#include <QLockFile>
#include <QTemporaryDir>
#include <QTest>

using namespace daybook;
using Kind = SessionAnswer::Kind;

namespace {

const TokenPair oldPair{QStringLiteral("access-1"), QStringLiteral("refresh-1")};
const TokenPair newPair{QStringLiteral("access-2"), QStringLiteral("refresh-2")};

Account account()
{
    Account account;
    account.serverOrigin = QStringLiteral("http://server");
    account.serverAccountId = QStringLiteral("account-1");
    return account;
}

TransportReply renewal(const TokenPair &pair, const QString &accountId = QStringLiteral("account-1"))
{
    return ownReply(200, encodeSession({pair.accessToken,
                                        std::chrono::seconds(900),
                                        pair.refreshToken,
                                        {accountId, QStringLiteral("kim"), {}}}));
}

TransportReply ended(TransportReply::End end)
{
    TransportReply reply;
    reply.end = end;
    return reply;
}

/// A session with all it needs, and the answers it gave.
struct World
{
    explicit World(std::optional<TokenPair> stored = oldPair) { place->tokens = std::move(stored); }

    std::unique_ptr<Session> open()
    {
        auto ownedWakeup = std::make_unique<FakeWakeup>();
        wakeup = ownedWakeup.get();
        return std::make_unique<Session>(account(), transport, tokens, std::move(ownedWakeup), clock);
    }
    Session::Handler handler()
    {
        return [this](const SessionAnswer &answer) { answers.append(answer); };
    }
    /// Asks and lets the event loop come round once.
    void ask(Session &session)
    {
        session.withToken(handler());
        wakeup->fire();
    }
    void refuse(Session &session, const QString &accessToken)
    {
        session.withTokenAfterRefusal(accessToken, handler());
        if (wakeup->pending())
            wakeup->fire();
    }

    std::shared_ptr<MemoryTokenStore::Place> place = std::make_shared<MemoryTokenStore::Place>();
    MemoryTokenStore tokens{place};
    FakeTransport transport;
    FakeClock clock;
    FakeWakeup *wakeup = nullptr;
    QList<SessionAnswer> answers;
};

} // namespace

Q_DECLARE_METATYPE(TransportReply)

class TestSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void givesTheStoredToken();
    void answersFromTheEventLoopOnly();
    void nothingStoredIsTheEnd();
    void refreshesOnceForAll();
    void lateRefusalOfTheOldTokenIsNoRefusalOfTheNew();
    void storesTheNewPairBeforeUsingIt();
    void takesWhatAnotherProcessStored();
    void freshTokenRefusedEndsTheSession();
    void acceptedTokenMayExpireAgain();
    void failedRefresh_data();
    void failedRefresh();
    void refusedRefreshClearsWhatIsStored();
    void refusedRefreshTakesWhatAnotherProcessStored();
    void renewalOfAnotherAccountIsNotUsed();
    void storeThatFails();
    void waitsForAnotherProcess();
    void lockThatCannotBeMade();
    void renewedForgetsTheEnd();
    void renewedDuringARefreshAbortsIt();
    void destroyingAborts();
};

void TestSession::givesTheStoredToken()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.ask(*session);
    QCOMPARE(world.answers.size(), 2);
    for (const SessionAnswer &answer : world.answers)
        QCOMPARE(answer, (SessionAnswer{Kind::Token, oldPair.accessToken, {}}));
    QCOMPARE(world.transport.count(), 0U);
}

void TestSession::answersFromTheEventLoopOnly()
{
    World world;
    const auto session = world.open();
    session->withToken(world.handler());
    session->withToken(world.handler());
    QVERIFY(world.answers.isEmpty());
    QCOMPARE(world.wakeup->pending(), Milliseconds(0));
    world.wakeup->fire();
    QCOMPARE(world.answers.size(), 2);
}

void TestSession::nothingStoredIsTheEnd()
{
    World world(std::nullopt);
    const auto session = world.open();
    world.ask(*session);
    QCOMPARE(world.answers.last().kind, Kind::Ended);
    QCOMPARE(world.answers.last().error.kind, ErrorKind::Credentials);
}

void TestSession::refreshesOnceForAll()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    for (int i = 0; i < 6; ++i)
        world.refuse(*session, oldPair.accessToken);
    session->withToken(world.handler()); // somebody new meanwhile
    QCOMPARE(world.transport.count(), 1U);
    QCOMPARE(world.transport.last().method, QByteArray("POST"));
    QCOMPARE(world.transport.last().url, QUrl(QStringLiteral("http://server/v1/sessions/refresh")));
    QCOMPARE(world.transport.last().body, encodeRefresh(oldPair.refreshToken));
    QCOMPARE(world.answers.size(), 1);

    world.transport.answerLast(renewal(newPair));
    QCOMPARE(world.answers.size(), 8);
    for (const SessionAnswer &answer : world.answers.mid(1))
        QCOMPARE(answer, (SessionAnswer{Kind::Token, newPair.accessToken, {}}));
    QCOMPARE(world.place->stored, 1);
}

void TestSession::lateRefusalOfTheOldTokenIsNoRefusalOfTheNew()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(renewal(newPair));
    world.refuse(*session, oldPair.accessToken);
    QCOMPARE(world.answers.last().accessToken, newPair.accessToken);
    QCOMPARE(world.transport.count(), 1U);
}

void TestSession::storesTheNewPairBeforeUsingIt()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    std::optional<TokenPair> storedWhenUsed;
    session->withTokenAfterRefusal(oldPair.accessToken,
                                   [&](const SessionAnswer &) { storedWhenUsed = world.place->tokens; });
    world.wakeup->fire();
    world.transport.answerLast(renewal(newPair));
    QCOMPARE(storedWhenUsed, newPair);
}

void TestSession::takesWhatAnotherProcessStored()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.place->tokens = newPair;
    world.refuse(*session, oldPair.accessToken);
    QCOMPARE(world.answers.last(), (SessionAnswer{Kind::Token, newPair.accessToken, {}}));
    QCOMPARE(world.transport.count(), 0U);
}

void TestSession::freshTokenRefusedEndsTheSession()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(renewal(newPair));
    world.refuse(*session, newPair.accessToken);
    QCOMPARE(world.answers.last().kind, Kind::Ended);
    world.ask(*session);
    QCOMPARE(world.answers.last().kind, Kind::Ended);
    QCOMPARE(world.transport.count(), 1U);
}

void TestSession::acceptedTokenMayExpireAgain()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(renewal(newPair));
    session->accepted(newPair.accessToken);
    world.refuse(*session, newPair.accessToken);
    QCOMPARE(world.transport.count(), 2U);
    QCOMPARE(world.transport.last().body, encodeRefresh(newPair.refreshToken));
}

void TestSession::failedRefresh_data()
{
    using End = TransportReply::End;
    QTest::addColumn<TransportReply>("reply");
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<int>("retryAfter");
    QTest::newRow("no connection") << ended(End::NotConnected) << Kind::NotReachable << 0;
    QTest::newRow("proxy") << foreignReply(407, {}) << Kind::NotReachable << 0;
    QTest::newRow("no reply") << ended(End::NoReply) << Kind::Unavailable << 0;
    QTest::newRow("sign-in page") << foreignReply(200, "<html>") << Kind::Unavailable << 0;
    QTest::newRow("renewal of a stranger")
        << foreignReply(200, renewal(newPair).body) << Kind::Unavailable << 0;
    QTest::newRow("foreign 401") << foreignReply(401, "<html>") << Kind::Unavailable << 0;
    QTest::newRow("500") << problemReply(500, "INTERNAL_ERROR") << Kind::Unavailable << 0;
    QTest::newRow("429") << problemReply(429, "RATE_LIMITED", {{"Retry-After", "7"}}) << Kind::Unavailable
                         << 7;
    QTest::newRow("503") << foreignReply(503, {}, {{"Retry-After", "9"}}) << Kind::Unavailable << 9;
}

void TestSession::failedRefresh()
{
    QFETCH(const TransportReply, reply);
    QFETCH(const Kind, kind);
    QFETCH(const int, retryAfter);
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(reply);
    QCOMPARE(world.answers.last().kind, kind);
    QCOMPARE(world.answers.last().retryAfter.value_or(Milliseconds(0)), std::chrono::seconds(retryAfter));
    QCOMPARE(world.place->tokens, oldPair);

    // Nothing is lost: asked again later, it tries again with the same refresh token.
    world.ask(*session);
    QCOMPARE(world.transport.count(), 2U);
    QCOMPARE(world.transport.last().body, encodeRefresh(oldPair.refreshToken));
    world.transport.answerLast(renewal(newPair));
    QCOMPARE(world.answers.last().accessToken, newPair.accessToken);
}

void TestSession::refusedRefreshClearsWhatIsStored()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(problemReply(401, "UNAUTHENTICATED"));
    QCOMPARE(world.answers.last().kind, Kind::Ended);
    QCOMPARE(world.place->tokens, std::nullopt);
    for (int i = 0; i < 10; ++i)
        world.ask(*session);
    QCOMPARE(world.transport.count(), 1U);
}

void TestSession::refusedRefreshTakesWhatAnotherProcessStored()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.place->tokens = newPair;
    world.transport.answerLast(problemReply(401, "UNAUTHENTICATED"));
    QCOMPARE(world.answers.last(), (SessionAnswer{Kind::Token, newPair.accessToken, {}}));
    QCOMPARE(world.place->tokens, newPair);
}

void TestSession::renewalOfAnotherAccountIsNotUsed()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.transport.answerLast(renewal(newPair, QStringLiteral("account-2")));
    QCOMPARE(world.answers.last().kind, Kind::Ended);
    QCOMPARE(world.place->tokens, oldPair);
}

void TestSession::storeThatFails()
{
    World world;
    const auto session = world.open();
    const Error locked{ErrorKind::Credentials, QStringLiteral("the keychain is locked")};
    world.place->error = locked;
    world.ask(*session);
    QCOMPARE(world.answers.last(), (SessionAnswer{Kind::StoreFailed, {}, {}, locked}));

    world.place->error.reset();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.place->error = locked;
    world.transport.answerLast(renewal(newPair));
    QCOMPARE(world.answers.last().kind, Kind::StoreFailed); // kept nowhere, so never used

    world.place->error.reset();
    world.ask(*session);
    QCOMPARE(world.transport.last().body, encodeRefresh(oldPair.refreshToken));
}

void TestSession::waitsForAnotherProcess()
{
    const QTemporaryDir folder;
    World world;
    world.place->lockPath = folder.filePath(QStringLiteral("refresh.lock"));
    const auto session = world.open();
    world.ask(*session);
    {
        QLockFile other(world.place->lockPath);
        QVERIFY(other.tryLock());
        world.refuse(*session, oldPair.accessToken);
        for (int i = 0; i < 3; ++i) {
            QVERIFY(world.wakeup->pending() > Milliseconds(0));
            world.wakeup->fire();
        }
        QCOMPARE(world.transport.count(), 0U);
    }
    world.wakeup->fire();
    QCOMPARE(world.transport.count(), 1U);
    QVERIFY(!QLockFile(world.place->lockPath).tryLock());
    world.transport.answerLast(renewal(newPair));
    QCOMPARE(world.answers.last().accessToken, newPair.accessToken);
    QVERIFY(QLockFile(world.place->lockPath).tryLock());
}

void TestSession::lockThatCannotBeMade()
{
    const QTemporaryDir folder;
    World world;
    world.place->lockPath = folder.filePath(QStringLiteral("missing/refresh.lock"));
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    QCOMPARE(world.answers.last().kind, Kind::StoreFailed);
    QCOMPARE(world.transport.count(), 0U);
}

void TestSession::renewedForgetsTheEnd()
{
    World world(std::nullopt);
    const auto session = world.open();
    world.ask(*session);
    world.place->tokens = newPair;
    session->renewed();
    world.ask(*session);
    QCOMPARE(world.answers.last(), (SessionAnswer{Kind::Token, newPair.accessToken, {}}));
}

void TestSession::renewedDuringARefreshAbortsIt()
{
    World world;
    const auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    world.place->tokens = newPair;
    session->renewed();
    QVERIFY(!world.transport.isOpen(0));
    QCOMPARE(world.answers.size(), 1);
    world.wakeup->fire();
    QCOMPARE(world.answers.last(), (SessionAnswer{Kind::Token, newPair.accessToken, {}}));
}

void TestSession::destroyingAborts()
{
    World world;
    auto session = world.open();
    world.ask(*session);
    world.refuse(*session, oldPair.accessToken);
    session.reset();
    QVERIFY(!world.transport.isOpen(0));
    QCOMPARE(world.answers.size(), 1);
}

QTEST_APPLESS_MAIN(TestSession)
#include "tst_session.moc"
