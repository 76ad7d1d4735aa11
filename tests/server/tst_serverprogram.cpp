#include "tests/server/rawclient.h"
#include "tests/support/serverprocess.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace daybook;

namespace {

constexpr int patience = 20'000; // milliseconds; only a failing test waits so long

struct Outcome
{
    int status = -1;
    QByteArray output;
    QByteArray errors;
};

Outcome run(const QStringList &arguments, const QByteArray &input = {})
{
    QProcess process;
    process.start(QStringLiteral(DAYBOOK_SERVER_PROGRAM), arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(patience) || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

QByteArray exchange(const QUrl &server, const QByteArray &request)
{
    QTcpSocket socket;
    socket.connectToHost(server.host(), static_cast<quint16>(server.port()));
    if (!socket.waitForConnected(patience))
        return {};
    socket.write(request);
    QByteArray reply;
    while (socket.waitForReadyRead(patience))
        reply += socket.readAll();
    return reply;
}

/// Status line, header lines and body of the reply to a sign-in.
QByteArray session(const QUrl &server, const QByteArray &password)
{
    const QByteArray body = R"({"username":"ann","password":")" + password + R"(","deviceName":""})";
    return exchange(server, "POST /v1/sessions HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                            "Content-Type: application/json\r\nContent-Length: " +
                                QByteArray::number(body.size()) + "\r\n\r\n" + body);
}

QByteArray signIn(const QUrl &server, const QByteArray &password)
{
    return session(server, password).left(12);
}

/// The header lines that say who is asking.
QByteArray signedIn(const QUrl &server, const QByteArray &password)
{
    const QByteArray reply = session(server, password);
    const QJsonObject object = QJsonDocument::fromJson(reply.mid(reply.indexOf("\r\n\r\n") + 4)).object();
    const auto text = [](const QJsonValue &value) { return value.toString().toLatin1(); };
    return "Authorization: Bearer " + text(object[QLatin1StringView("accessToken")]) +
           "\r\nDaybook-Account: " +
           text(object[QLatin1StringView("account")][QLatin1StringView("accountId")]) + "\r\n";
}

const QByteArray entryPath = "/v1/entries/11111111-1111-4111-8111-111111111111";

QByteArray createRequest(const QByteArray &who, const QByteArray &value)
{
    const QByteArray body = "{\"schemaVersion\":1,\"clientEntryId\":\"11111111-1111-4111-8111-111111111111\","
                            "\"value\":" +
                            value + ",\"recordedAt\":\"2026-01-13T09:10:00+09:00\"}";
    return "POST /v1/entries HTTP/1.1\r\nHost: a\r\nIdempotency-Key: one-key\r\n"
           "Content-Type: application/json\r\nContent-Length: " +
           QByteArray::number(body.size()) + "\r\n" + who + "\r\n" + body;
}

} // namespace

/// The program as its operator meets it: command line, signals, exit status.
class ServerProgramTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mistakesEndItWithOneSentence_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QByteArray>("named");

        const auto row = [](const char *name, const QString &arguments, int status, const QByteArray &named) {
            QTest::newRow(name) << arguments.split(QLatin1Char(' '), Qt::SkipEmptyParts) << status << named;
        };
        row("nothing", QString(), 2, "Say what to do");
        row("unknown option", QStringLiteral("serve --volume 11"), 2, "volume");
        row("bad address", QStringLiteral("serve --listen nowhere"), 2, "nowhere");
        row("open to the network", QStringLiteral("serve --listen 0.0.0.0:0"), 2, "--allow-plain-http");
        row("another database", QStringLiteral("serve --database postgresql://h/d"), 2, "SQLite only");
        row("port in use", QStringLiteral("serve --database sqlite://%1/new.sqlite --listen 127.0.0.1:%2"), 1,
            "in use");
        row("folder that cannot be", QStringLiteral("serve --database sqlite://%1/file/new.sqlite"), 1,
            "/file");
        row("no database", QStringLiteral("serve --database sqlite://%1/file"), 1, "/file");
        row("account without password",
            QStringLiteral("account add --username ann --database sqlite://%1/new.sqlite"), 1, "password");
    }

    void mistakesEndItWithOneSentence()
    {
        QFETCH(QStringList, arguments);
        QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray(4096, 'x'));
        file.close();
        QTcpServer neighbour;
        QVERIFY(neighbour.listen(QHostAddress::LocalHost));
        arguments.replaceInStrings(QStringLiteral("%1"), folder.path());
        arguments.replaceInStrings(QStringLiteral("%2"), QString::number(neighbour.serverPort()));

        const Outcome outcome = run(arguments);
        QTEST(outcome.status, "status");
        QFETCH(QByteArray, named);
        QVERIFY2(outcome.errors.contains(named), outcome.errors.constData());
        QVERIFY2(outcome.errors.startsWith("daybook-server: "), outcome.errors.constData());
        QCOMPARE(outcome.errors.count('\n'), 1);
        QCOMPARE(outcome.output, "");
    }

    void helpAndVersion()
    {
        const Outcome help = run({QStringLiteral("--help")});
        QCOMPARE(help.status, 0);
        QVERIFY(help.output.contains("account add"));
        const Outcome version = run({QStringLiteral("--version")});
        QCOMPARE(version.status, 0);
        QVERIFY(version.output.startsWith("daybook-server "));
    }

    void signalsEndItInOrder_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
    }

    void signalsEndItInOrder()
    {
        QFETCH(int, signal);
        QTemporaryDir folder;
        ServerProcess server(folder.filePath(QStringLiteral("server.sqlite")));
        QVERIFY(server.start());
        QVERIFY(exchange(server.url(), "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    .startsWith("HTTP/1.1 200"));
        QCOMPARE(::kill(static_cast<pid_t>(server.processId()), signal), 0);
        QCOMPARE(server.waitForExit(), 0);
    }

    void aSecondSignalEndsItAtOnce()
    {
        QTemporaryDir folder;
        ServerProcess server(folder.filePath(QStringLiteral("server.sqlite")));
        QVERIFY(server.start());
        QTcpSocket slow;
        slow.connectToHost(server.url().host(), static_cast<quint16>(server.url().port()));
        QVERIFY(slow.waitForConnected(patience));
        slow.write("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
        QVERIFY(slow.waitForReadyRead(patience)); // has begun, so draining waits for the body

        const auto process = static_cast<pid_t>(server.processId());
        QCOMPARE(::kill(process, SIGTERM), 0);
        QTRY_COMPARE(exchange(server.url(), "GET / HTTP/1.0\r\n\r\n"), QByteArray());
        QCOMPARE(::kill(process, SIGTERM), 0);
        QCOMPARE(server.waitForExit(), -1);
        QCOMPARE(slow.readAll().left(12), "HTTP/1.1 100"); // it was not waited for
    }

    void accountsOutliveAPowerCut()
    {
        QTemporaryDir folder;
        ServerProcess server(folder.filePath(QStringLiteral("server.sqlite")));
        QVERIFY(server.addAccount(QStringLiteral("ann"), QStringLiteral("correct horse")));
        QVERIFY(server.start());
        const QUrl url = server.url();
        QCOMPARE(signIn(url, "correct horse"), "HTTP/1.1 201");
        server.kill();
        QVERIFY(server.start());
        QCOMPARE(server.url(), url);
        QCOMPARE(signIn(url, "correct horse"), "HTTP/1.1 201");
        QCOMPARE(signIn(url, "another horse"), "HTTP/1.1 401");
        QCOMPARE(server.terminate(), 0);
    }

    void copiesOfOneRequestAtOnceAreOneEntry()
    {
        QTemporaryDir folder;
        ServerProcess server(folder.filePath(QStringLiteral("server.sqlite")));
        QVERIFY(server.addAccount(QStringLiteral("ann"), QStringLiteral("correct horse")));
        QVERIFY(server.start());
        const QByteArray who = signedIn(server.url(), "correct horse");
        const QByteArray request = createRequest(who, "1.5");

        constexpr int copies = 5;
        std::vector<std::unique_ptr<RawClient>> clients;
        for (int i = 0; i < copies; ++i) {
            clients.push_back(std::make_unique<RawClient>(server.url()));
            clients.back()->send(request.chopped(1));
        }
        for (const auto &client : clients)
            client->send(request.right(1)); // all are complete at the same moment
        QByteArrayList bodies;
        QByteArrayList replayed;
        for (const auto &client : clients) {
            const Reply reply = client->receive();
            QCOMPARE(reply.status, 201);
            bodies.append(reply.body);
            replayed.append(reply.header("Idempotent-Replayed"));
        }
        QVERIFY(bodies.front().contains("\"value\":1.5"));
        QCOMPARE(bodies.count(bodies.front()), copies);
        QCOMPARE(replayed.count("false"), 1);
        QCOMPARE(replayed.count("true"), copies - 1);

        RawClient client(server.url());
        client.send(createRequest(who, "2"));
        const Reply refused = client.receive();
        QCOMPARE(refused.status, 409);
        QCOMPARE(code(refused), "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD");
        client.send(get(entryPath, who));
        const Reply entry = client.receive();
        QCOMPARE(entry.status, 200);
        QCOMPARE(entry.header("ETag"), "\"1\"");
        QCOMPARE(entry.body, bodies.front());
    }

    void passwordsCanBeChanged()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("server.sqlite"));
        ServerProcess server(path);
        QVERIFY(server.addAccount(QStringLiteral("ann"), QStringLiteral("first password")));
        const QStringList command = {QStringLiteral("account"),    QStringLiteral("passwd"),
                                     QStringLiteral("--username"), QStringLiteral("ann"),
                                     QStringLiteral("--database"), QStringLiteral("sqlite://") + path};
        QCOMPARE(run(command, "second password\n").status, 0);
        QCOMPARE(run(command, "short\n").status, 1);
        QVERIFY(server.start());
        QCOMPARE(signIn(server.url(), "second password"), "HTTP/1.1 201");
        QCOMPARE(signIn(server.url(), "first password"), "HTTP/1.1 401");
    }

    void passwordsTypedAreNotShown()
    {
        const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
        QVERIFY(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
        QTemporaryDir folder;
        QProcess process;
        process.setStandardInputFile(QString::fromLatin1(ptsname(terminal)));
        process.setReadChannel(QProcess::StandardError);
        process.start(QStringLiteral(DAYBOOK_SERVER_PROGRAM),
                      {QStringLiteral("account"), QStringLiteral("add"), QStringLiteral("--username"),
                       QStringLiteral("ann"), QStringLiteral("--database"),
                       QStringLiteral("sqlite://") + folder.filePath(QStringLiteral("server.sqlite"))});
        QByteArray asked;
        while (!asked.contains("Password: ") && process.waitForReadyRead(patience))
            asked += process.readAllStandardError();
        const QByteArray typed = "correct horse\n";
        QCOMPARE(::write(terminal, typed.constData(), static_cast<size_t>(typed.size())), typed.size());
        QVERIFY(process.waitForFinished(patience));
        QCOMPARE(process.exitCode(), 0);
        QByteArray shown(4096, '\0');
        shown.resize(qMax<qsizetype>(0, ::read(terminal, shown.data(), static_cast<size_t>(shown.size()))));
        QVERIFY2(!shown.contains("horse"), shown.constData());
        ::close(terminal);
    }
};

QTEST_GUILESS_MAIN(ServerProgramTest)
#include "tst_serverprogram.moc"
