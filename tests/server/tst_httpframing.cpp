#include "tests/server/echoserver.h"
#include "tests/server/rawclient.h"

#include <QTest>

using namespace daybook;

/// Where a request ends, and what is refused because others might see that differently.
class HttpFramingTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goodRequestsAreHandedOver_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::addColumn<QList<QByteArray>>("seen");

        QTest::newRow("get") << get("/a?b=c") << QList<QByteArray>{"GET /a?b=c"};
        QTest::newRow("empty lines before") << "\r\n\r\n" + get("/a") << QList<QByteArray>{"GET /a"};
        QTest::newRow("body") << post("Content-Length: 3\r\n", "abc") << QList<QByteArray>{"POST /p abc"};
        QTest::newRow("no body") << post("Content-Length: 0\r\n") << QList<QByteArray>{"POST /p"};
        QTest::newRow("chunked") << post("Transfer-Encoding: chunked\r\n",
                                         "2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n")
                                 << QList<QByteArray>{"POST /p abc"};
        QTest::newRow("chunked in capitals")
            << post("transfer-encoding: CHUNKED\r\n", "0\r\n\r\n") << QList<QByteArray>{"POST /p"};
        QTest::newRow("unknown method")
            << QByteArray("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n") << QList<QByteArray>{"BREW /pot"};
        QTest::newRow("three at once") << get("/1") + post("Content-Length: 1\r\n", "2") + get("/3")
                                       << QList<QByteArray>{"GET /1", "POST /p 2", "GET /3"};
        QTest::newRow("chunked, then another")
            << post("Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\n\r\n") + get("/2")
            << QList<QByteArray>{"POST /p a", "GET /2"};
    }

    void goodRequestsAreHandedOver()
    {
        QFETCH(QByteArray, sent);
        QFETCH(QList<QByteArray>, seen);
        EchoServer server;
        RawClient client(server.url());
        client.send(sent);
        for (qsizetype i = 0; i < seen.size(); ++i) {
            const Reply reply = client.receive();
            QCOMPARE(reply.status, 200);
            QCOMPARE(reply.body, seen.at(i).split(' ').at(1)); // in their order
            QVERIFY(reply.header("Connection").isEmpty());
        }
        client.send(get("/still-open"));
        QCOMPARE(client.receive().body, "/still-open");
        QCOMPARE(server.seen(), seen + QList<QByteArray>{"GET /still-open"});
        QCOMPARE(server.mostAtOnce(), 1);
    }

    void badRequestsAreRefusedAndNothingBehindThemRuns_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("expectedCode");

        const auto malformed = [](const char *name, const QByteArray &sent) {
            QTest::newRow(name) << sent << 400 << QByteArray("MALFORMED_REQUEST");
        };
        malformed("no host", "GET / HTTP/1.1\r\n\r\n");
        malformed("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n");
        malformed("empty host", "GET / HTTP/1.1\r\nHost: \r\n\r\n");
        malformed("two hosts in one line", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n");
        malformed("two hosts in 1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n");
        malformed("folded line", get("/", "X-A: 1\r\n 2\r\n"));
        malformed("folded with a tab", get("/", "X-A: 1\r\n\t2\r\n"));
        malformed("folded before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n");
        malformed("folded length", post("Content-Length:\r\n 3\r\n", "abc"));
        malformed("bare line feed", "GET / HTTP/1.1\nHost: a\n\n");
        malformed("bare line feed in a field", get("/", "X-A: 1\nX-B: 2\r\n"));
        malformed("bare line feed at the end", "GET / HTTP/1.1\r\nHost: a\r\n\n");
        malformed("bare carriage return", get("/", "X-A: 1\rX-B: 2\r\n"));
        malformed("null in a value", get("/", QByteArray("X-A: 1\0002\r\n", 10)));
        malformed("space before the colon", post("Content-Length : 3\r\n", "abc"));
        malformed("no colon", get("/", "nonsense\r\n"));
        malformed("no name", get("/", ": x\r\n"));
        malformed("equal lengths", post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"));
        malformed("different lengths", post("Content-Length: 3\r\nContent-Length: 4\r\n", "abc"));
        malformed("list of lengths", post("Content-Length: 3, 3\r\n", "abc"));
        malformed("length with a sign", post("Content-Length: +3\r\n", "abc"));
        malformed("negative length", post("Content-Length: -3\r\n", "abc"));
        malformed("length in hexadecimal", post("Content-Length: 0x3\r\n", "abc"));
        malformed("empty length", post("Content-Length: \r\n", "abc"));
        malformed("length beyond 64 bits", post("Content-Length: 18446744073709551617\r\n", "a"));
        malformed("length and chunked",
                  post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
        malformed("chunked and length",
                  post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "0\r\n\r\n"));
        malformed("length and gzip", post("Content-Length: 3\r\nTransfer-Encoding: gzip\r\n", "abc"));
        malformed("xchunked", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"));
        malformed("gzip", post("Transfer-Encoding: gzip\r\n", "0\r\n\r\n"));
        malformed("identity", post("Transfer-Encoding: identity\r\n"));
        malformed("gzip, chunked", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"));
        malformed("chunked twice", post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"));
        malformed("chunked in two lines",
                  post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
        malformed("identity and chunked in two lines",
                  post("Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"));
        malformed("chunked in quotes", post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"));
        malformed("empty encoding", post("Transfer-Encoding: \r\n", "0\r\n\r\n"));
        malformed("chunked in 1.0",
                  "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        malformed("chunk without a size", post("Transfer-Encoding: chunked\r\n", "\r\n\r\n"));
        malformed("chunk size that is none", post("Transfer-Encoding: chunked\r\n", "x\r\nab\r\n0\r\n\r\n"));
        malformed("chunk longer than it says",
                  post("Transfer-Encoding: chunked\r\n", "1\r\nab\r\n0\r\n\r\n"));
        malformed("chunk size with a bare line feed",
                  post("Transfer-Encoding: chunked\r\n", "1\na\r\n0\r\n\r\n"));
        malformed("length behind the chunks",
                  post("Transfer-Encoding: chunked\r\n", "0\r\nContent-Length: 3\r\n\r\n"));
        malformed("endless chunk extension",
                  post("Transfer-Encoding: chunked\r\n", "1;" + QByteArray(20000, 'x')));
        malformed("endless fields behind the chunks",
                  post("Transfer-Encoding: chunked\r\n", "0\r\nX-A: " + QByteArray(20000, 'x')));
        malformed("version 2.0", "GET / HTTP/2.0\r\nHost: a\r\n\r\n");
        malformed("version 0.9", "GET /\r\n\r\n");
        malformed("not HTTP", QByteArray("\x16\x03\x01\x02\r\n\r\n", 8));
        malformed("space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n");
        QTest::newRow("announced too large")
            << post("Content-Length: 65537\r\n") << 413 << QByteArray("PAYLOAD_TOO_LARGE");
        QTest::newRow("chunked too large") << post("Transfer-Encoding: chunked\r\n", "FFFFFFFF\r\n") << 413
                                           << QByteArray("PAYLOAD_TOO_LARGE");
        QTest::newRow("endless target")
            << "GET /" + QByteArray(3000, 'a') << 414 << QByteArray("URI_TOO_LONG");
        QTest::newRow("endless header") << "GET / HTTP/1.1\r\nHost: a\r\nX-A: " + QByteArray(9000, 'a') << 431
                                        << QByteArray("HEADERS_TOO_LARGE");
        QTest::newRow("endless method") << QByteArray(9000, 'A') << 431 << QByteArray("HEADERS_TOO_LARGE");
    }

    void badRequestsAreRefusedAndNothingBehindThemRuns()
    {
        QFETCH(QByteArray, sent);
        EchoServer server;
        RawClient client(server.url());
        client.send(sent + get("/smuggled"));
        const Reply reply = client.receive();
        QTEST(reply.status, "status");
        QTEST(code(reply), "expectedCode");
        QCOMPARE(reply.header("Content-Type"), "application/problem+json");
        QCOMPARE(reply.header("Connection"), "close");
        QCOMPARE(reply.header("Daybook-Protocol"), "1");
        QVERIFY(client.isClosedByServer());
        QCOMPARE(server.seen(), QList<QByteArray>());
    }

    void limitsAreExact_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::addColumn<int>("status");

        const auto target = [](int bytes) { return get('/' + QByteArray(bytes - 1, 'a')); };
        QTest::newRow("longest target") << target(2048) << 200;
        QTest::newRow("target one too long") << target(2049) << 414;
        const auto header = [](int bytes) {
            const auto rest = get("/", "X-A: \r\n").size();
            return get("/", "X-A: " + QByteArray(bytes - rest, 'a') + "\r\n");
        };
        QTest::newRow("longest header") << header(8192) << 200;
        QTest::newRow("header one too long") << header(8193) << 431;
        const auto body = [](int bytes) {
            return post("Content-Length: " + QByteArray::number(bytes) + "\r\n", QByteArray(bytes, 'a'));
        };
        QTest::newRow("longest body") << body(65536) << 200;
        QTest::newRow("body one too long") << body(65537) << 413;
        const auto chunked = [](int bytes) {
            return post("Transfer-Encoding: chunked\r\n", "8000\r\n" + QByteArray(0x8000, 'a') + "\r\n" +
                                                              QByteArray::number(bytes - 0x8000, 16) +
                                                              "\r\n" + QByteArray(bytes - 0x8000, 'a') +
                                                              "\r\n0\r\n\r\n");
        };
        QTest::newRow("longest chunked body") << chunked(65536) << 200;
        QTest::newRow("chunked body one too long") << chunked(65537) << 413;
    }

    void limitsAreExact()
    {
        QFETCH(QByteArray, sent);
        EchoServer server;
        RawClient client(server.url());
        client.send(sent);
        QTEST(client.receive().status, "status");
    }

    void headersBehindTheBodyDoNotCount()
    {
        EchoServer server;
        RawClient client(server.url());
        client.send(post("Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\nAuthorization: Bearer x\r\n\r\n"));
        QCOMPARE(client.receive().status, 200);
        QVERIFY(server.lastRequest().headerLines("Authorization").isEmpty());
        QCOMPARE(server.lastRequest().headerLines("Host"), QList<QByteArray>{"localhost"});
    }

    void requestsAreHandedOverWhole()
    {
        EchoServer server;
        RawClient client(server.url());
        client.send(get("/", "X-A: 1\r\nx-a: 2\r\nX-Empty:\r\n"));
        QCOMPARE(client.receive().status, 200);
        const ServerRequest request = server.lastRequest();
        QCOMPARE(request.headerLines("X-A"), (QList<QByteArray>{"1", "2"}));
        QCOMPARE(request.headerLines("X-Empty"), QList<QByteArray>{""});
        QCOMPARE(request.peerAddress, QStringLiteral("127.0.0.1"));
    }

    void bytesMayComeOneByOne()
    {
        EchoServer server;
        RawClient client(server.url());
        for (const char byte : post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n") + get("/2"))
            client.send(QByteArray(1, byte));
        QCOMPARE(client.receive().body, "/p");
        QCOMPARE(client.receive().body, "/2");
        QCOMPARE(server.seen(), (QList<QByteArray>{"POST /p abc", "GET /2"}));
    }
};

QTEST_GUILESS_MAIN(HttpFramingTest)
#include "tst_httpframing.moc"
