#include "sync/client/networkrequest.h"
#include "sync/client/networktransport.h"
#include "tests/support/scriptedserver.h"

#include <QElapsedTimer>
#include <QSet>
#include <QTest>

using namespace daybook;
using End = TransportReply::End;
using Step = ScriptedServer::Step;

namespace {

TransportRequest requestTo(const QUrl &url, const QByteArray &method = "POST")
{
    TransportRequest request;
    request.method = method;
    request.url = url;
    request.headers = {{"Idempotency-Key", "k"}, {"Content-Type", "application/json"}};
    if (method == "POST" || method == "PUT")
        request.body = "{\"value\":1}";
    request.deadline = std::chrono::seconds(20);
    return request;
}

/// One exchange from its start to its end.
struct Exchange
{
    Exchange(Transport &transport, const TransportRequest &request)
    {
        call = transport.send(request, [this](const TransportReply &r) {
            reply = r;
            ++ends;
        });
    }

    std::unique_ptr<TransportCall> call;
    TransportReply reply;
    int ends = 0;
};

} // namespace

Q_DECLARE_METATYPE(daybook::TransportReply::End)

class TestNetworkRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ends_data();
    void ends();
    void sendsExactlyWhatItIsGiven_data();
    void sendsExactlyWhatItIsGiven();
    void keepsHeadAndBody();
    void refusedPortIsNotConnected();
    void unreachableNetworkIsNotConnected();
    void failedHandshakeIsNotConnected();
    void refusalAfterSendingIsNoReply();
    void deadlineEndsSilence();
    void deadlineBeforeAnythingLeftIsNotConnected();
    void deadlineEndsADrip();
    void destroyingTheCallAborts();
    void callMayEndInItsHandler();
    void transportMayEndFirst();
    void cookiesAreNotKept();
    void managerRepeatsByItself_data();
    void managerRepeatsByItself();
};

void TestNetworkRequest::ends_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<bool>("closes");
    QTest::addColumn<End>("end");
    QTest::addColumn<int>("status");
    QTest::addColumn<qsizetype>("bodySize");

    const auto whole = [](int status, const QByteArray &body, const QByteArray &more = {}) {
        return ScriptedServer::reply(status, body, more);
    };
    const QByteArray cut = "HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{\"entryId\":";
    const QByteArray chunkedCut = "HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{\"entry";
    const QByteArray big(maximumReplyBytes, 'x');

    QTest::newRow("201") << whole(201, "{}") << false << End::Complete << 201 << qsizetype(2);
    QTest::newRow("204") << QByteArray("HTTP/1.1 204 No Content\r\nETag: \"5\"\r\n\r\n") << false
                         << End::Complete << 204 << qsizetype(0);
    QTest::newRow("closes behind the reply")
        << whole(201, "{}") << true << End::Complete << 201 << qsizetype(2);
    QTest::newRow("empty 200") << whole(200, "") << false << End::Complete << 200 << qsizetype(0);
    QTest::newRow("HTML") << whole(200, "<html>", "Content-Type: text/html\r\n") << false << End::Complete
                          << 200 << qsizetype(6);
    for (const int status : {301, 302, 303, 307, 308}) {
        QTest::addRow("redirect %d", status) << whole(status, "", "Location: /elsewhere\r\n") << false
                                             << End::Complete << status << qsizetype(0);
    }
    for (const int status : {400, 401, 403, 404, 409, 410, 412, 413, 422, 429, 500, 502, 503, 504}) {
        QTest::addRow("refusal %d", status) << whole(status, "{}", "WWW-Authenticate: Bearer\r\n") << false
                                            << End::Complete << status << qsizetype(2);
    }
    QTest::newRow("refusal 407") << whole(407, "{}") << false << End::Complete << 407 << qsizetype(2);
    QTest::newRow("refusal 407 with a challenge")
        << whole(407, "{}", "Proxy-Authenticate: Basic realm=\"proxy\"\r\n") << false << End::Complete << 407
        << qsizetype(2);
    QTest::newRow("closes before the reply") << QByteArray() << true << End::NoReply << 0 << qsizetype(0);
    QTest::newRow("status line cut") << QByteArray("HTTP/1.1 20") << true << End::NoReply << 0
                                     << qsizetype(0);
    QTest::newRow("body cut") << cut << true << End::NoReply << 201 << qsizetype(0);
    QTest::newRow("chunked body cut") << chunkedCut << true << End::NoReply << 201 << qsizetype(0);
    QTest::newRow("not HTTP") << QByteArray("SSH-2.0-server\r\n\r\n") << true << End::NoReply << 0
                              << qsizetype(0);
    QTest::newRow("1 MiB") << whole(200, big) << false << End::Complete << 200 << big.size();
    QTest::newRow("over 1 MiB") << whole(200, big + 'x') << false << End::NoReply << 200 << qsizetype(0);
}

void TestNetworkRequest::ends()
{
    QFETCH(const QByteArray, bytes);
    QFETCH(const bool, closes);
    ScriptedServer server({Step{.bytes = bytes, .closes = closes}});
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(server.url()));
    QCOMPARE(exchange.ends, 0);
    QTRY_COMPARE_WITH_TIMEOUT(exchange.ends, 1, 15'000);
    QTEST(exchange.reply.end, "end");
    QTEST(exchange.reply.status, "status");
    QTEST(exchange.reply.body.size(), "bodySize");
    for (const QByteArray &request : server.requests())
        QVERIFY2(request.startsWith("POST /v1/entries HTTP/1.1\r\n"), request.constData());
}

void TestNetworkRequest::sendsExactlyWhatItIsGiven_data()
{
    QTest::addColumn<QByteArray>("method");
    for (const char *method : {"GET", "POST", "PUT", "DELETE"})
        QTest::newRow(method) << QByteArray(method);
}

void TestNetworkRequest::sendsExactlyWhatItIsGiven()
{
    QFETCH(const QByteArray, method);
    ScriptedServer server({Step{.bytes = ScriptedServer::reply(200, "{}")}});
    NetworkTransport transport;
    TransportRequest request = requestTo(server.url(QStringLiteral("/v1/entries/x")), method);
    request.headers.emplaceBack("If-Match", "\"3\"");
    Exchange exchange(transport, request);
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(server.requests().size(), 1);
    const QByteArray sent = server.requests().first();
    QVERIFY(sent.startsWith(method + " /v1/entries/x HTTP/1.1\r\n"));
    QVERIFY(sent.contains("\r\nIdempotency-Key: k\r\n"));
    QVERIFY(sent.contains("\r\nIf-Match: \"3\"\r\n"));
    QVERIFY(sent.contains("\r\nAccept-Encoding: identity\r\n"));
    QVERIFY(sent.endsWith("\r\n\r\n" + request.body));
}

void TestNetworkRequest::keepsHeadAndBody()
{
    ScriptedServer server(
        {Step{.bytes = ScriptedServer::reply(200, "{\"a\":1}", "ETag: \"7\"\r\nDaybook-Protocol: 1\r\n")}});
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(server.url()));
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(exchange.reply.body, QByteArray("{\"a\":1}"));
    QCOMPARE(exchange.reply.header("etag"), QByteArray("\"7\""));
    QCOMPARE(exchange.reply.header("daybook-protocol"), QByteArray("1"));
    QVERIFY(!exchange.reply.header("Retry-After"));
}

void TestNetworkRequest::refusedPortIsNotConnected()
{
    ScriptedServer server({Step{}});
    server.stopListening();
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(server.url()));
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(exchange.reply.end, End::NotConnected);
    QVERIFY(!exchange.reply.errorText.isEmpty());
}

/// As with the network switched off and an origin that needs no name to be looked up.
void TestNetworkRequest::unreachableNetworkIsNotConnected()
{
    NetworkTransport transport;
    // Nobody can connect to the broadcast address: the system itself says so.
    Exchange exchange(transport, requestTo(QUrl(QStringLiteral("http://255.255.255.255:9/v1/entries"))));
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(exchange.reply.end, End::NotConnected);
    QVERIFY(!exchange.reply.errorText.isEmpty());
}

void TestNetworkRequest::failedHandshakeIsNotConnected()
{
    ScriptedServer server(
        {Step{.bytes = "HTTP/1.1 400 Bad Request\r\n\r\n", .closes = true, .answersAnything = true}});
    QUrl url = server.url();
    url.setScheme(QStringLiteral("https"));
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(url));
    QTRY_COMPARE_WITH_TIMEOUT(exchange.ends, 1, 15'000);
    QCOMPARE(exchange.reply.end, End::NotConnected);
    for (const QByteArray &received : server.requests())
        QVERIFY(!received.contains("Idempotency-Key"));
}

void TestNetworkRequest::refusalAfterSendingIsNoReply()
{
    for (const QByteArray method : {"POST", "DELETE", "GET"}) {
        // The manager repeats the request by itself and is refused then: still, it had left before.
        ScriptedServer server({Step{.closes = true, .stopsListening = true}});
        NetworkTransport transport;
        Exchange exchange(transport, requestTo(server.url(), method));
        QTRY_COMPARE_WITH_TIMEOUT(exchange.ends, 1, 15'000);
        QCOMPARE(server.requests().size(), 1);
        QCOMPARE(exchange.reply.end, End::NoReply);
    }
}

void TestNetworkRequest::deadlineEndsSilence()
{
    ScriptedServer server({Step{}});
    NetworkTransport transport;
    TransportRequest request = requestTo(server.url());
    request.deadline = Milliseconds(150);
    QElapsedTimer elapsed;
    elapsed.start();
    Exchange exchange(transport, request);
    QTRY_COMPARE(exchange.ends, 1);
    QVERIFY(elapsed.elapsed() >= 140);
    QCOMPARE(exchange.reply.end, End::NoReply);
    QTRY_COMPARE(server.openConnections(), 0);
}

/// The connection stands, but the handshake before the first byte of the request never ends.
void TestNetworkRequest::deadlineBeforeAnythingLeftIsNotConnected()
{
    ScriptedServer server({Step{.answersAnything = true}});
    QUrl url = server.url();
    url.setScheme(QStringLiteral("https"));
    NetworkTransport transport;
    TransportRequest request = requestTo(url);
    request.deadline = Milliseconds(500);
    Exchange exchange(transport, request);
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(server.requests().size(), 1); // the greeting of the handshake
    QCOMPARE(exchange.reply.end, End::NotConnected);
}

void TestNetworkRequest::deadlineEndsADrip()
{
    ScriptedServer server({Step{.bytes = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", .drip = "x"}});
    NetworkTransport transport;
    TransportRequest request = requestTo(server.url());
    request.deadline = Milliseconds(150);
    Exchange exchange(transport, request);
    QTRY_COMPARE(exchange.ends, 1);
    QCOMPARE(exchange.reply.end, End::NoReply);
    QCOMPARE(exchange.reply.status, 0);
    QTRY_COMPARE(server.openConnections(), 0);
    QCOMPARE(exchange.ends, 1);
}

void TestNetworkRequest::destroyingTheCallAborts()
{
    ScriptedServer server({Step{}});
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(server.url()));
    QTRY_COMPARE(server.requests().size(), 1);
    exchange.call.reset();
    QTRY_COMPARE(server.openConnections(), 0);
    QCOMPARE(exchange.ends, 0);
}

void TestNetworkRequest::callMayEndInItsHandler()
{
    ScriptedServer server({Step{.bytes = ScriptedServer::reply(200, "{}")}});
    NetworkTransport transport;
    std::unique_ptr<TransportCall> call;
    int ends = 0;
    call = transport.send(requestTo(server.url()), [&](const TransportReply &) {
        call.reset();
        ++ends;
    });
    QTRY_COMPARE(ends, 1);
}

void TestNetworkRequest::transportMayEndFirst()
{
    ScriptedServer server({Step{}});
    auto transport = std::make_unique<NetworkTransport>();
    Exchange exchange(*transport, requestTo(server.url()));
    QTRY_COMPARE(server.requests().size(), 1);
    transport.reset();
    exchange.call.reset();
    QTRY_COMPARE(server.openConnections(), 0);
    QCOMPARE(exchange.ends, 0);
}

void TestNetworkRequest::cookiesAreNotKept()
{
    ScriptedServer server({Step{.bytes = ScriptedServer::reply(200, "{}", "Set-Cookie: a=b; Path=/\r\n")}});
    NetworkTransport transport;
    for (int i = 1; i <= 2; ++i) {
        Exchange exchange(transport, requestTo(server.url()));
        QTRY_COMPARE(exchange.ends, 1);
        QVERIFY(!server.requests().constLast().toLower().contains("\r\ncookie:"));
    }
}

/// Why one attempt may be several transmissions, and why nothing may be read into a connection that was
/// closed.
void TestNetworkRequest::managerRepeatsByItself_data()
{
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<qsizetype>(
        "mostTransmissions"); // two at least; how many more depends on when Qt hears of the close
    for (const char *method : {"POST", "PUT", "DELETE", "GET"}) {
        QTest::addRow("%s, closed before the reply", method)
            << QByteArray(method) << QByteArray() << qsizetype(2);
        QTest::addRow("%s, status line cut", method)
            << QByteArray(method) << QByteArray("HTTP/1.1 20") << qsizetype(4);
    }
}

void TestNetworkRequest::managerRepeatsByItself()
{
    QFETCH(const QByteArray, method);
    QFETCH(const QByteArray, bytes);
    ScriptedServer server({Step{.bytes = bytes, .closes = true}});
    NetworkTransport transport;
    Exchange exchange(transport, requestTo(server.url(), method));
    QTRY_COMPARE_WITH_TIMEOUT(exchange.ends, 1, 15'000);
    QCOMPARE(exchange.reply.end, End::NoReply);
    QFETCH(const qsizetype, mostTransmissions);
    QVERIFY(server.requests().size() >= 2);
    QVERIFY(server.requests().size() <= mostTransmissions);
    QCOMPARE(QSet<QByteArray>(server.requests().begin(), server.requests().end()).size(), 1);
}

QTEST_GUILESS_MAIN(TestNetworkRequest)
#include "tst_networkrequest.moc"
