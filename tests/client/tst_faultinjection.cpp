#include "sync/client/faultinjection.h"
#include "sync/client/resultclassifier.h"
#include "tests/support/faketransport.h"

#include <QElapsedTimer>
#include <QTest>

using namespace daybook;
using End = TransportReply::End;
using Kind = Verdict::Kind;

namespace {

Fault fault(const char *text) { return Fault::fromText(QString::fromLatin1(text)).value(); }

TransportRequest requestTo(const QString &path)
{
    TransportRequest request;
    request.method = "POST";
    request.url = QUrl(QStringLiteral("http://server") + path);
    return request;
}

/// A fake network behind faults, and what came back through them.
struct Lab
{
    explicit Lab(QList<Fault> faults) : Lab(std::make_unique<FakeTransport>(), std::move(faults)) {}
    Lab(std::unique_ptr<FakeTransport> real, QList<Fault> faults)
        : network(*real),
          faulty(std::move(real), std::move(faults))
    {
    }

    void send(const QString &path = QStringLiteral("/v1/entries"),
              Milliseconds deadline = std::chrono::seconds(30))
    {
        TransportRequest request = requestTo(path);
        request.deadline = deadline;
        calls.push_back(faulty.send(request, [this](const TransportReply &reply) { replies.append(reply); }));
    }
    Kind verdict() const
    {
        Operation operation;
        operation.type = OperationType::UpdateEntry;
        return classify(operation, replies.last(), {}).kind;
    }

    FakeTransport &network;
    FaultyTransport faulty;
    std::vector<std::unique_ptr<TransportCall>> calls;
    QList<TransportReply> replies;
};

} // namespace

class TestFaultInjection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void grammar_data();
    void grammar();
    void badGrammar_data();
    void badGrammar();
    void losesRequests();
    void losesReplies();
    void refuses_data();
    void refuses();
    void showsAPage();
    void delays();
    void latencyKeepsTheDeadline();
    void hitsEntriesOnly_data();
    void hitsEntriesOnly();
    void timesAreCounted();
    void faultsAreReplaced();
    void destroyingTheCallTakesTheReplyBack();
};

void TestFaultInjection::grammar_data()
{
    QTest::addColumn<Fault>("expected");
    using Fk = Fault::Kind;
    using std::chrono::seconds;
    QTest::newRow("lose-request") << Fault{.kind = Fk::LoseRequest};
    QTest::newRow("lose-reply") << Fault{.kind = Fk::LoseReply};
    QTest::newRow("lose-reply,times=1") << Fault{.kind = Fk::LoseReply, .times = 1};
    QTest::newRow("latency=250") << Fault{.kind = Fk::Latency, .latency = Milliseconds(250)};
    QTest::newRow("latency=250,times=3")
        << Fault{.kind = Fk::Latency, .latency = Milliseconds(250), .times = 3};
    QTest::newRow("status=503") << Fault{.kind = Fk::Status, .status = 503};
    QTest::newRow("status=429,retry-after=2")
        << Fault{.kind = Fk::Status, .status = 429, .retryAfter = seconds(2)};
    QTest::newRow("status=429,times=4,retry-after=0")
        << Fault{.kind = Fk::Status, .status = 429, .retryAfter = seconds(0), .times = 4};
    QTest::newRow("html") << Fault{.kind = Fk::Html};
}

void TestFaultInjection::grammar()
{
    QFETCH(const Fault, expected);
    const Result<Fault> read = Fault::fromText(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY2(read, read ? "" : qPrintable(read.error().detail));
    QCOMPARE(*read, expected);
}

void TestFaultInjection::badGrammar_data()
{
    QTest::addColumn<QString>("named"); // what the error must name
    const auto row = [](const char *text, const char *named) {
        QTest::newRow(text) << QString::fromLatin1(named);
    };
    row("", "\"\"");
    row("lose", "\"lose\"");
    row("lose-request=1", "\"lose-request=1\"");
    row("html,", "\"\"");
    row("latency", "latency");
    row("latency=", "latency");
    row("latency=0", "\"0\"");
    row("latency=-5", "\"-5\"");
    row("latency=1.5", "\"1.5\"");
    row("latency=99999999", "\"99999999\"");
    row("status=abc", "\"abc\"");
    row("status=200", "\"200\"");
    row("status=412", "412");
    row("status=599", "599");
    row("status=429,retry-after=soon", "\"soon\"");
    row("status=429,retry-after=-1", "\"-1\"");
    row("status=429,retry-after=1,retry-after=2", "\"retry-after=2\"");
    row("html,retry-after=3", "\"retry-after=3\"");
    row("html,times=0", "\"0\"");
    row("html,times=x", "\"x\"");
    row("html,times=1,times=2", "\"times=2\"");
    row("html,often", "\"often\"");
}

void TestFaultInjection::badGrammar()
{
    QFETCH(const QString, named);
    const Result<Fault> read = Fault::fromText(QString::fromLatin1(QTest::currentDataTag()));
    QVERIFY(!read);
    QCOMPARE(read.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(read.error().detail.contains(named), qPrintable(read.error().detail));
}

void TestFaultInjection::losesRequests()
{
    Lab lab({fault("lose-request")});
    lab.send();
    QVERIFY(lab.replies.isEmpty());
    QTRY_COMPARE(lab.replies.size(), 1);
    QCOMPARE(lab.network.count(), 0U);
    QCOMPARE(lab.verdict(), Kind::Unknown);
}

void TestFaultInjection::losesReplies()
{
    Lab lab({fault("lose-reply")});
    lab.send();
    QCOMPARE(lab.network.count(), 1U);
    lab.network.answerLast(problemReply(403, "FORBIDDEN"));
    QTRY_COMPARE(lab.replies.size(), 1);
    QCOMPARE(lab.verdict(), Kind::Unknown);

    lab.send();
    TransportReply notConnected;
    notConnected.end = End::NotConnected; // nothing to lose
    lab.network.answerLast(notConnected);
    QTRY_COMPARE(lab.replies.size(), 2);
    QCOMPARE(lab.verdict(), Kind::NotReachable);
}

void TestFaultInjection::refuses_data()
{
    QTest::addColumn<Kind>("kind");
    QTest::newRow("status=400") << Kind::Refused;
    QTest::newRow("status=401") << Kind::SessionExpired;
    QTest::newRow("status=403") << Kind::Refused;
    QTest::newRow("status=404") << Kind::Conflict;
    QTest::newRow("status=409") << Kind::Refused;
    QTest::newRow("status=409,retry-after=1") << Kind::InProgress;
    QTest::newRow("status=410") << Kind::Conflict;
    QTest::newRow("status=413") << Kind::Refused;
    QTest::newRow("status=422") << Kind::Refused;
    QTest::newRow("status=422,retry-after=1") << Kind::AccountBlocked;
    QTest::newRow("status=425") << Kind::AccountBlocked;
    QTest::newRow("status=429") << Kind::AccountBlocked;
    QTest::newRow("status=500") << Kind::ServerError;
    QTest::newRow("status=502") << Kind::AccountBlocked;
    QTest::newRow("status=503,retry-after=2") << Kind::AccountBlocked;
    QTest::newRow("status=504") << Kind::AccountBlocked;
}

void TestFaultInjection::refuses()
{
    QFETCH(const Kind, kind);
    Lab lab({fault(QTest::currentDataTag())});
    lab.send();
    QTRY_COMPARE(lab.replies.size(), 1);
    QCOMPARE(lab.network.count(), 0U);
    QCOMPARE(lab.verdict(), kind);
}

void TestFaultInjection::showsAPage()
{
    Lab lab({fault("html")});
    lab.send();
    QTRY_COMPARE(lab.replies.size(), 1);
    QCOMPARE(lab.network.count(), 0U);
    QCOMPARE(lab.replies.last().status, 200);
    QCOMPARE(lab.verdict(), Kind::Unexpected);
}

void TestFaultInjection::delays()
{
    Lab lab({fault("latency=100"), fault("status=403,times=1")});
    QElapsedTimer elapsed;
    elapsed.start();
    lab.send();
    QTRY_COMPARE(lab.replies.size(), 1);
    QVERIFY(elapsed.elapsed() >= 95);
    QCOMPARE(lab.verdict(), Kind::Refused);

    lab.send();
    lab.network.answerLast(problemReply(401, "TOKEN_EXPIRED"));
    QCOMPARE(lab.replies.size(), 1);
    QTRY_COMPARE(lab.replies.size(), 2);
    QCOMPARE(lab.verdict(), Kind::SessionExpired);
}

void TestFaultInjection::latencyKeepsTheDeadline()
{
    Lab lab({fault("latency=600000")});
    lab.send(QStringLiteral("/v1/entries"), Milliseconds(50));
    lab.network.answerLast(problemReply(403, "FORBIDDEN"));
    QTRY_COMPARE(lab.replies.size(), 1);
    QCOMPARE(lab.verdict(), Kind::Unknown);
}

void TestFaultInjection::hitsEntriesOnly_data()
{
    QTest::addColumn<bool>("hit");
    QTest::newRow("/v1/entries") << true;
    QTest::newRow("/v1/entries/11111111-1111-4111-8111-111111111111") << true;
    QTest::newRow("/v1/sessions") << false;
    QTest::newRow("/v1/sessions/refresh") << false;
    QTest::newRow("/v1/accounts") << false;
    QTest::newRow("/v1/receipts") << false;
    QTest::newRow("/v1/entriesx") << false;
}

void TestFaultInjection::hitsEntriesOnly()
{
    QFETCH(const bool, hit);
    Lab lab({fault("lose-request")});
    lab.send(QString::fromLatin1(QTest::currentDataTag()));
    QCOMPARE(lab.network.count(), hit ? 0U : 1U);
}

void TestFaultInjection::timesAreCounted()
{
    Lab lab({fault("lose-request,times=2"), fault("html,times=1")});
    for (int i = 0; i < 5; ++i)
        lab.send();
    QCOMPARE(lab.network.count(), 2U);
    QTRY_COMPARE(lab.replies.size(), 3);
    QCOMPARE(lab.replies[0].status, 0);
    QCOMPARE(lab.replies[1].status, 0);
    QCOMPARE(lab.replies[2].status, 200);
}

void TestFaultInjection::faultsAreReplaced()
{
    Lab lab({fault("lose-request")});
    lab.faulty.setFaults({});
    lab.send();
    QCOMPARE(lab.network.count(), 1U);
    lab.faulty.setFaults({fault("html")});
    lab.send();
    QCOMPARE(lab.network.count(), 1U);
}

void TestFaultInjection::destroyingTheCallTakesTheReplyBack()
{
    Lab lab({fault("lose-request,times=1"), fault("html,times=1"), fault("latency=1,times=1")});
    lab.send(); // latency and lose-request
    lab.send(); // html
    lab.send(); // to the network
    lab.calls.clear();
    QVERIFY(!lab.network.isOpen(0));
    Lab after({fault("latency=20")});
    after.send();
    after.network.answerLast(problemReply(403, "FORBIDDEN"));
    QTRY_COMPARE(after.replies.size(), 1); // later than anything of the first would have come
    QVERIFY(lab.replies.isEmpty());
}

QTEST_GUILESS_MAIN(TestFaultInjection)
#include "tst_faultinjection.moc"
