#include "sync/server/http.h"

#include <QElapsedTimer>
#include <QTcpSocket>
#include <QTest>
#include <QThreadPool>
#include <QUrl>

#include <atomic>
#include <mutex>

using namespace daybook;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 5000; // milliseconds; only a failing test waits so long

struct Reply
{
    int status = 0;
    QByteArray head;
    QByteArray body;

    QByteArray header(const QByteArray &name) const
    {
        for (const QByteArray &line : head.split('\n')) {
            const qsizetype colon = line.indexOf(':');
            if (line.left(colon).compare(name, Qt::CaseInsensitive) == 0)
                return line.mid(colon + 1).trimmed();
        }
        return {};
    }
};

/// A client that sends exactly the bytes it is given.
class RawClient
{
public:
    explicit RawClient(const HttpServer &server)
    {
        const QUrl url(server.url());
        m_socket.connectToHost(url.host(), static_cast<quint16>(url.port()));
        m_connected = m_socket.waitForConnected(patience);
    }

    bool isConnected() const { return m_connected; }

    void send(const QByteArray &bytes)
    {
        m_socket.write(bytes);
        while (m_socket.bytesToWrite() > 0 && m_socket.waitForBytesWritten(patience)) {
        }
    }

    /// The next reply; its status is 0 when the connection ends instead.
    Reply receive(bool hasBody = true)
    {
        Reply reply;
        while (!m_input.contains("\r\n\r\n") && more()) {
        }
        const qsizetype end = m_input.indexOf("\r\n\r\n");
        if (end < 0)
            return reply;
        reply.head = m_input.left(end);
        reply.status = reply.head.mid(9, 3).toInt();
        m_input.remove(0, end + 4);
        const qsizetype length = hasBody ? reply.header("Content-Length").toInt() : 0;
        while (m_input.size() < length && more()) {
        }
        reply.body = m_input.left(length);
        m_input.remove(0, length);
        return reply;
    }

    bool isClosedByServer()
    {
        while (more()) {
        }
        return m_socket.state() == QAbstractSocket::UnconnectedState && m_input.isEmpty();
    }

    bool waitForInput(int milliseconds) { return m_socket.waitForReadyRead(milliseconds); }
    void close() { m_socket.abort(); }

private:
    bool more()
    {
        const bool came = m_socket.bytesAvailable() > 0 || m_socket.waitForReadyRead(patience);
        m_input += m_socket.readAll();
        return came;
    }

    QTcpSocket m_socket;
    QByteArray m_input;
    bool m_connected = false;
};

/// A server whose handler notes what it is given and answers from another thread.
class EchoServer
{
public:
    explicit EchoServer(const HttpLimits &limits = {})
    {
        HttpOptions options;
        options.limits = limits;
        auto result = HttpServer::listen(options, [this](ServerRequest request, ReplyHandler done) {
            handle(std::move(request), std::move(done));
        });
        if (result)
            m_http = std::move(*result);
    }
    ~EchoServer()
    {
        release();
        m_threads.waitForDone();
    }

    HttpServer &http() { return *m_http; }
    void end() { m_http.reset(); }

    /// Method, target and body of each request, one a line.
    QList<QByteArray> seen() const
    {
        const std::lock_guard lock(m_mutex);
        return m_seen;
    }
    ServerRequest lastRequest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_lastRequest;
    }
    int mostAtOnce() const { return m_mostAtOnce; }

    void answerWith(ServerReply reply) { m_reply = std::move(reply); }
    /// Keeps replies back until release().
    void hold() { m_holding = true; }
    void release()
    {
        QList<std::function<void()>> held;
        {
            const std::lock_guard lock(m_mutex);
            m_holding = false;
            held.swap(m_held);
        }
        for (const auto &answer : held)
            answer();
    }

private:
    void handle(ServerRequest request, ReplyHandler done)
    {
        const std::lock_guard lock(m_mutex);
        m_mostAtOnce = std::max(m_mostAtOnce.load(), ++m_atOnce);
        m_seen.append((request.method + ' ' + request.target + ' ' + request.body).trimmed());
        m_lastRequest = request;
        m_kept.append(done);
        ServerReply reply = m_reply;
        if (reply.body.isNull() && reply.status == 200)
            reply.body = request.target;
        const auto answer = [this, reply, done = std::move(done)] {
            --m_atOnce;
            done(reply);
        };
        if (m_holding)
            m_held.append(answer);
        else
            m_threads.start(answer);
    }

    mutable std::mutex m_mutex;
    QList<QByteArray> m_seen;
    QList<std::function<void()>> m_held;
    ServerRequest m_lastRequest;
    QList<ReplyHandler> m_kept; // a handler may forget to forget them; no connection may depend on it
    ServerReply m_reply;
    std::atomic<bool> m_holding = false;
    std::atomic<int> m_atOnce = 0;
    std::atomic<int> m_mostAtOnce = 0;
    QThreadPool m_threads;
    std::unique_ptr<HttpServer> m_http;
};

QByteArray get(const QByteArray &target, const QByteArray &headers = {})
{
    return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n";
}

QByteArray post(const QByteArray &headers, const QByteArray &rest = {})
{
    return "POST /p HTTP/1.1\r\nHost: localhost\r\n" + headers + "\r\n" + rest;
}

QByteArray code(const Reply &reply)
{
    const qsizetype begin = reply.body.indexOf("\"code\":\"") + 8;
    return reply.body.mid(begin, reply.body.indexOf('"', begin) - begin);
}

} // namespace

class HttpTest : public QObject
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
        RawClient client(server.http());
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
        RawClient client(server.http());
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
        RawClient client(server.http());
        client.send(sent);
        QTEST(client.receive().status, "status");
    }

    void headersBehindTheBodyDoNotCount()
    {
        EchoServer server;
        RawClient client(server.http());
        client.send(post("Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\nAuthorization: Bearer x\r\n\r\n"));
        QCOMPARE(client.receive().status, 200);
        QVERIFY(server.lastRequest().headerLines("Authorization").isEmpty());
        QCOMPARE(server.lastRequest().headerLines("Host"), QList<QByteArray>{"localhost"});
    }

    void requestsAreHandedOverWhole()
    {
        EchoServer server;
        RawClient client(server.http());
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
        RawClient client(server.http());
        for (const char byte : post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n0\r\n\r\n") + get("/2"))
            client.send(QByteArray(1, byte));
        QCOMPARE(client.receive().body, "/p");
        QCOMPARE(client.receive().body, "/2");
        QCOMPARE(server.seen(), (QList<QByteArray>{"POST /p abc", "GET /2"}));
    }

    void everyReplyIsComplete()
    {
        EchoServer server;
        server.answerWith({201, "application/json", {{"Location", "/x"}, {"ETag", "\"1\""}}, "{}"});
        RawClient client(server.http());
        client.send(get("/"));
        const Reply reply = client.receive();
        QCOMPARE(reply.head.left(20), "HTTP/1.1 201 Created");
        QCOMPARE(reply.header("Daybook-Protocol"), "1");
        QCOMPARE(reply.header("Content-Type"), "application/json");
        QCOMPARE(reply.header("Content-Length"), "2");
        QCOMPARE(reply.header("Location"), "/x");
        QCOMPARE(reply.header("ETag"), "\"1\"");
        QCOMPARE(reply.body, "{}");
        const QDateTime date =
            QDateTime::fromString(QString::fromLatin1(reply.header("Date")), Qt::RFC2822Date);
        QVERIFY(qAbs(date.secsTo(QDateTime::currentDateTimeUtc())) < 60);
    }

    void noContentHasNoLength()
    {
        EchoServer server;
        server.answerWith({204, {}, {}, {}});
        RawClient client(server.http());
        client.send(get("/") + get("/"));
        for (int i = 0; i < 2; ++i) {
            const Reply reply = client.receive();
            QCOMPARE(reply.status, 204);
            QVERIFY(!reply.head.contains("Content-Length"));
        }
    }

    void headGetsLengthWithoutBody()
    {
        EchoServer server;
        RawClient client(server.http());
        client.send("HEAD /abc HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"));
        QCOMPARE(client.receive(false).header("Content-Length"), "4");
        QCOMPARE(client.receive().body, "/next");
    }

    void connectionsCloseWhenAsked_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("close") << get("/", "Connection: close\r\n");
        QTest::newRow("1.0") << QByteArray("GET / HTTP/1.0\r\n\r\n");
        QTest::newRow("close, then another") << get("/", "Connection: close\r\n") + get("/2");
    }

    void connectionsCloseWhenAsked()
    {
        QFETCH(QByteArray, sent);
        EchoServer server;
        RawClient client(server.http());
        client.send(sent);
        QCOMPARE(client.receive().status, 200);
        QVERIFY(client.isClosedByServer());
        QCOMPARE(server.seen(), QList<QByteArray>{"GET /"});
    }

    void version10MayStay()
    {
        EchoServer server;
        RawClient client(server.http());
        for (int i = 0; i < 2; ++i) {
            client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            QCOMPARE(client.receive().header("Connection"), "keep-alive");
        }
    }

    void expectationIsAnswered()
    {
        EchoServer server;
        RawClient client(server.http());
        client.send(post("Expect: 100-continue\r\nContent-Length: 3\r\n"));
        QCOMPARE(client.receive(false).status, 100);
        QCOMPARE(server.seen(), QList<QByteArray>());
        client.send("abc");
        QCOMPARE(client.receive().status, 200);
        QCOMPARE(server.seen(), QList<QByteArray>{"POST /p abc"});
    }

    void expectationOfTooMuchIsRefusedAtOnce()
    {
        EchoServer server;
        RawClient client(server.http());
        client.send(post("Expect: 100-continue\r\nContent-Length: 70000\r\n"));
        QCOMPARE(client.receive().status, 413);
        QVERIFY(client.isClosedByServer());
    }

    void slowRequestsAreEnded_data()
    {
        QTest::addColumn<QByteArray>("sent");
        QTest::newRow("half a header") << QByteArray("GET / HT");
        QTest::newRow("half a body") << post("Content-Length: 10\r\n", "abc");
        QTest::newRow("half a chunk") << post("Transfer-Encoding: chunked\r\n", "a\r\nabc");
        QTest::newRow("nothing after 100") << post("Expect: 100-continue\r\nContent-Length: 3\r\n");
    }

    void slowRequestsAreEnded()
    {
        QFETCH(QByteArray, sent);
        HttpLimits limits;
        limits.request = 200ms;
        EchoServer server(limits);
        RawClient client(server.http());
        client.send(sent);
        Reply reply = client.receive();
        if (reply.status == 100)
            reply = client.receive();
        QCOMPARE(reply.status, 408);
        QCOMPARE(code(reply), "REQUEST_TIMEOUT");
        QVERIFY(client.isClosedByServer());
        QCOMPARE(server.seen(), QList<QByteArray>());
    }

    void tricklingDoesNotExtendTheDeadline()
    {
        HttpLimits limits;
        limits.request = 200ms;
        EchoServer server(limits);
        RawClient client(server.http());
        QElapsedTimer elapsed;
        elapsed.start();
        client.send("GET / HTTP/1.1\r\nX: ");
        while (!client.waitForInput(20) && elapsed.elapsed() < patience)
            client.send("a");
        const Reply reply = client.receive();
        QCOMPARE(reply.status, 408);
    }

    void slowHandlersAreWaitedFor()
    {
        HttpLimits limits;
        limits.request = 100ms;
        limits.idle = 100ms;
        EchoServer server(limits);
        server.hold();
        RawClient client(server.http());
        client.send(get("/"));
        QTRY_COMPARE(server.seen().size(), 1);
        RawClient later(server.http());
        QVERIFY(later.isClosedByServer()); // so both deadlines have passed for the first one, too
        server.release();
        QCOMPARE(client.receive().status, 200);
    }

    void idleConnectionsAreClosedSilently()
    {
        HttpLimits limits;
        limits.idle = 100ms;
        EchoServer server(limits);
        RawClient fresh(server.http());
        QVERIFY(fresh.isClosedByServer());
        RawClient used(server.http());
        used.send(get("/"));
        QCOMPARE(used.receive().status, 200);
        QVERIFY(used.isClosedByServer());
    }

    void slowReadersAreCut()
    {
        HttpLimits limits;
        limits.write = 200ms;
        EchoServer server(limits);
        constexpr int size = 32 * 1024 * 1024; // more than the buffers of both ends
        server.answerWith({200, "text/plain", {}, QByteArray(size, 'a')});
        RawClient client(server.http());
        client.send(get("/"));
        QTRY_COMPARE(server.seen().size(), 1);
        QElapsedTimer elapsed;
        elapsed.start();
        server.http().drain(30s); // returns as soon as nobody is connected
        QVERIFY(elapsed.elapsed() < patience);
    }

    void tooManyFromOneAddressAreTurnedAway()
    {
        HttpLimits limits;
        limits.connectionsPerAddress = 2;
        EchoServer server(limits);
        RawClient first(server.http());
        RawClient second(server.http());
        for (RawClient *client : {&first, &second}) {
            client->send(get("/"));
            QCOMPARE(client->receive().status, 200);
        }
        RawClient third(server.http());
        const Reply reply = third.receive();
        QCOMPARE(reply.status, 429);
        QCOMPARE(code(reply), "RATE_LIMITED");
        QVERIFY(!reply.header("Retry-After").isEmpty());
        QVERIFY(third.isClosedByServer());

        second.close();
        const auto isServed = [&] {
            RawClient another(server.http());
            another.send(get("/"));
            return another.receive().status == 200;
        };
        bool served = false; // kept: the condition is looked at again after it became true
        QTRY_VERIFY(served || (served = isServed()));
    }

    void drainingAnswersWhatHasBegun()
    {
        EchoServer server;
        server.hold();
        RawClient idle(server.http());
        RawClient busy(server.http());
        busy.send(get("/busy") + get("/behind"));
        QTRY_COMPARE(server.seen().size(), 1);

        QThreadPool drainer;
        std::atomic<bool> drained = false;
        drainer.start([&] {
            server.http().drain(30s);
            drained = true;
        });
        QVERIFY(idle.isClosedByServer());
        QVERIFY(!RawClient(server.http()).isConnected());
        QVERIFY(!drained);
        server.release();
        const Reply reply = busy.receive();
        QCOMPARE(reply.status, 200);
        QCOMPARE(reply.header("Connection"), "close");
        QVERIFY(busy.isClosedByServer());
        busy.close();
        QTRY_VERIFY(drained);
        QCOMPARE(server.seen(), QList<QByteArray>{"GET /busy"});
    }

    void drainingEndsInTime()
    {
        EchoServer server;
        server.hold();
        RawClient busy(server.http());
        RawClient half(server.http());
        busy.send(get("/"));
        half.send("GET /half HT");
        QTRY_COMPARE(server.seen().size(), 1);
        QElapsedTimer elapsed;
        elapsed.start();
        server.http().drain(100ms);
        QVERIFY(elapsed.elapsed() < patience);
        QVERIFY(busy.isClosedByServer());
        QVERIFY(half.isClosedByServer());
    }

    void repliesAfterTheEndAreDropped()
    {
        EchoServer server;
        server.hold();
        RawClient client(server.http());
        client.send(get("/"));
        QTRY_COMPARE(server.seen().size(), 1);
        server.end();
        QVERIFY(client.isClosedByServer());
        server.release();
    }

    void repliesToNobodyAreDropped()
    {
        EchoServer server;
        server.hold();
        {
            RawClient client(server.http());
            client.send(get("/"));
            QTRY_COMPARE(server.seen().size(), 1);
            client.close();
        }
        server.release();
        RawClient next(server.http());
        next.send(get("/next"));
        QCOMPARE(next.receive().body, "/next");
    }

    void listeningThatFailsSaysWhy_data()
    {
        QTest::addColumn<QString>("host");
        QTest::addColumn<QString>("named");
        QTest::newRow("in use") << QStringLiteral("127.0.0.1") << QStringLiteral("in use");
        QTest::newRow("not of this computer") << QStringLiteral("192.0.2.1") << QStringLiteral("192.0.2.1");
        QTest::newRow("no address") << QStringLiteral("nowhere") << QStringLiteral("nowhere");
    }

    void listeningThatFailsSaysWhy()
    {
        QFETCH(QString, host);
        QFETCH(QString, named);
        EchoServer server;
        HttpOptions options;
        options.host = host;
        options.port = static_cast<quint16>(QUrl(server.http().url()).port());
        const auto second = HttpServer::listen(options, [](ServerRequest, ReplyHandler) {});
        QVERIFY(!second);
        QVERIFY2(second.error().detail.contains(named), qPrintable(second.error().detail));
    }

    void loopbackIsKnown()
    {
        QCOMPARE(isLoopback(QStringLiteral("127.0.0.1")), std::optional(true));
        QCOMPARE(isLoopback(QStringLiteral("::1")), std::optional(true));
        QCOMPARE(isLoopback(QStringLiteral("0.0.0.0")), std::optional(false));
        QCOMPARE(isLoopback(QStringLiteral("host")), std::optional<bool>());
    }
};

QTEST_GUILESS_MAIN(HttpTest)
#include "tst_http.moc"
