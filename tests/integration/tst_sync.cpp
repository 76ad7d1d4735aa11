#include "tests/integration/signedin.h"

#include <QFile>
#include <QTest>

using namespace daybook;

/// The real command line against the real server: every conversation ends with the store verified and the
/// server's rows compared.
class TestSync : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void aLostReplyIsReplayed();
    void aLostRequestIsSentAgain();
    void aSignInPageMarksNothing();
    void manualSyncEndsAWait();
    void aRefusedEntryIsCorrected();
    void aRefusedEntryDoesNotHoldOthers();
    void editsAndDeletesArriveInOrder();
    void whatNeverLeftIsMerged();
    void anEditBehindALostReply();
    void fiftyEntriesArriveOnceEach();
    void anUnreachableServerChargesNothing();
    void accountsStayApart();
    void aWrongPasswordIsTold();
    void twoProgramsSyncAtOnce();
    void saysNoSecretsAtTheHighestLogLevel();

private:
    std::unique_ptr<SignedIn> m;
};

namespace {

const QString unknown = QStringLiteral("unknown");

QJsonArray attemptsOf(const QJsonArray &operations, int index)
{
    return operations.at(index).toObject().value(QLatin1String("attempts")).toArray();
}

QString field(const QJsonValue &object, const char *name)
{
    return object.toObject().value(QLatin1String(name)).toString();
}

} // namespace

void TestSync::init()
{
    m = std::make_unique<SignedIn>();
    QVERIFY(m->ready());
}

void TestSync::cleanup()
{
    const ProgramEnd verified = m->here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
    m.reset();
}

void TestSync::aLostReplyIsReplayed()
{
    const QString id = m->addedId(QStringLiteral("120"));
    QCOMPARE(m->stateOf(id), QStringLiteral("waiting"));
    const ProgramEnd lost = m->sync({QStringLiteral("--fault"), QStringLiteral("lose-reply")});
    QVERIFY2(lost.exitCode == 3, lost.description());
    QCOMPARE(m->stateOf(id), QStringLiteral("awaiting_confirmation"));
    QCOMPARE(m->serverEntries().size(), 1); // the server acted, nobody here knows

    const ProgramEnd synced = m->sync();
    QVERIFY2(synced.exitCode == 0, synced.description());
    QCOMPARE(m->stateOf(id), QStringLiteral("synced"));
    const QJsonArray operations = m->operationsOf(id);
    QCOMPARE(operations.size(), 1);
    const QJsonArray attempts = attemptsOf(operations, 0);
    QVERIFY(attempts.size() >= 2);
    QCOMPARE(field(attempts.first(), "result"), unknown);
    QCOMPARE(attempts.first().toObject().value(QLatin1String("replayed")).toBool(), false);
    QCOMPARE(field(attempts.last(), "result"), QStringLiteral("confirmed"));
    QCOMPARE(attempts.last().toObject().value(QLatin1String("replayed")).toBool(), true);
    const QHash<QString, SignedIn::ServerEntry> expected = {{id, {120000, 1, false}}};
    QCOMPARE(m->serverEntries(), expected);
}

void TestSync::aLostRequestIsSentAgain()
{
    const QString id = m->addedId(QStringLiteral("1"));
    QCOMPARE(m->sync({QStringLiteral("--fault"), QStringLiteral("lose-request")}).exitCode, 3);
    QVERIFY(m->serverEntries().isEmpty());
    QCOMPARE(m->sync().exitCode, 0);
    const QJsonArray attempts = attemptsOf(m->operationsOf(id), 0);
    QCOMPARE(attempts.last().toObject().value(QLatin1String("replayed")).toBool(), false);
    QCOMPARE(m->serverEntries().size(), 1);
}

void TestSync::aSignInPageMarksNothing()
{
    const QString id = m->addedId(QStringLiteral("1"));
    QCOMPARE(m->sync({QStringLiteral("--fault"), QStringLiteral("html")}).exitCode, 3);
    QCOMPARE(m->stateOf(id), QStringLiteral("awaiting_confirmation"));
    QCOMPARE(m->sync().exitCode, 0);
    QCOMPARE(m->serverEntries().size(), 1);
}

void TestSync::manualSyncEndsAWait()
{
    const QString id = m->addedId(QStringLiteral("1"));
    const ProgramEnd blocked =
        m->sync({QStringLiteral("--fault"), QStringLiteral("status=503,retry-after=3000")});
    QVERIFY2(blocked.exitCode == 3, blocked.description());
    const ProgramEnd status = m->here.cli({QStringLiteral("status"), QStringLiteral("--json")});
    QVERIFY2(
        !status.json().value(QLatin1String("queue")).toObject().value(QLatin1String("blockedUntil")).isNull(),
        status.description());
    QCOMPARE(m->sync().exitCode, 0);
    QCOMPARE(m->stateOf(id), QStringLiteral("synced"));
}

void TestSync::aRefusedEntryIsCorrected()
{
    const QString id = m->addedId(QStringLiteral("1"));
    QCOMPARE(m->sync({QStringLiteral("--fault"), QStringLiteral("status=422")}).exitCode, 4);
    QCOMPARE(m->stateOf(id), QStringLiteral("needs_attention"));
    QCOMPARE(m->sync().exitCode, 4); // not sent again unchanged
    QCOMPARE(attemptsOf(m->operationsOf(id), 0).size(), 1);
    QCOMPARE(
        m->here.cli({QStringLiteral("edit"), id, QStringLiteral("--value"), QStringLiteral("2")}).exitCode,
        0);
    QCOMPARE(m->sync().exitCode, 0);
    const QJsonArray operations = m->operationsOf(id);
    QCOMPARE(operations.size(), 2);
    QCOMPARE(field(operations[0], "state"), QStringLiteral("superseded"));
    QCOMPARE(field(operations[0], "supersededBy"), field(operations[1], "operationId"));
    const QHash<QString, SignedIn::ServerEntry> expected = {{id, {2000, 1, false}}};
    QCOMPARE(m->serverEntries(), expected);
}

void TestSync::aRefusedEntryDoesNotHoldOthers()
{
    for (int i = 1; i <= 10; ++i)
        m->addedId(QString::number(i));
    QCOMPARE(m->sync({QStringLiteral("--fault"), QStringLiteral("status=422,times=1"),
                      QStringLiteral("--fault"), QStringLiteral("status=413,times=1")})
                 .exitCode,
             4);
    QCOMPARE(m->serverEntries().size(), 8);
    const QJsonArray refused = m->here
                                   .cli({QStringLiteral("list"), QStringLiteral("--show"),
                                         QStringLiteral("attention"), QStringLiteral("--json")})
                                   .json()
                                   .value(QLatin1String("entries"))
                                   .toArray();
    QCOMPARE(refused.size(), 2);
}

void TestSync::editsAndDeletesArriveInOrder()
{
    const QString kept = m->addedId(QStringLiteral("1"));
    const QString deleted = m->addedId(QStringLiteral("2"));
    QCOMPARE(m->sync().exitCode, 0);
    QCOMPARE(m->here.cli({QStringLiteral("edit"), kept, QStringLiteral("--value"), QStringLiteral("1.5")})
                 .exitCode,
             0);
    QCOMPARE(m->here.cli({QStringLiteral("edit"), deleted, QStringLiteral("--value"), QStringLiteral("2.5")})
                 .exitCode,
             0);
    QCOMPARE(m->here.cli({QStringLiteral("delete"), deleted}).exitCode, 0);
    QCOMPARE(m->sync().exitCode, 0);
    const auto onServer = m->serverEntries();
    const SignedIn::ServerEntry expected{1500, 2, false};
    QCOMPARE(onServer.value(kept), expected);
    QVERIFY(onServer.value(deleted).deleted);
    QCOMPARE(onServer.value(deleted).version, 2); // the edit never left: only the delete was sent
}

void TestSync::whatNeverLeftIsMerged()
{
    const QString id = m->addedId(QStringLiteral("1"));
    for (const char *value : {"2", "3", "4"})
        QCOMPARE(
            m->here.cli({QStringLiteral("edit"), id, QStringLiteral("--value"), QString::fromLatin1(value)})
                .exitCode,
            0);
    const QString gone = m->addedId(QStringLiteral("9"));
    QCOMPARE(m->here.cli({QStringLiteral("delete"), gone}).exitCode, 0);
    QCOMPARE(m->sync().exitCode, 0);
    const QHash<QString, SignedIn::ServerEntry> expected = {{id, {4000, 1, false}}};
    QCOMPARE(m->serverEntries(), expected);
}

void TestSync::anEditBehindALostReply()
{
    const QString id = m->addedId(QStringLiteral("70"));
    QCOMPARE(m->sync({QStringLiteral("--fault"), QStringLiteral("lose-reply")}).exitCode, 3);
    QCOMPARE(
        m->here.cli({QStringLiteral("edit"), id, QStringLiteral("--value"), QStringLiteral("71")}).exitCode,
        0);
    QCOMPARE(
        m->here.cli({QStringLiteral("edit"), id, QStringLiteral("--value"), QStringLiteral("72")}).exitCode,
        0);
    QCOMPARE(m->sync().exitCode, 0);
    const QHash<QString, SignedIn::ServerEntry> expected = {{id, {72000, 2, false}}};
    QCOMPARE(m->serverEntries(), expected);
}

void TestSync::fiftyEntriesArriveOnceEach()
{
    QStringList ids;
    for (int i = 0; i < 50; ++i)
        ids += m->addedId(QString::number(i));
    QCOMPARE(m->sync().exitCode, 0);
    QCOMPARE(m->serverEntries().size(), 50);
    for (const QString &id : ids) {
        const QJsonArray operations = m->operationsOf(id);
        QCOMPARE(operations.size(), 1);
        QCOMPARE(attemptsOf(operations, 0).size(), 1);
    }
}

void TestSync::anUnreachableServerChargesNothing()
{
    const QString id = m->addedId(QStringLiteral("1"));
    m->server.kill();
    const ProgramEnd end = m->sync();
    QVERIFY2(end.exitCode == 3, end.description());
    QCOMPARE(m->stateOf(id), QStringLiteral("waiting"));
    for (const QJsonValue &attempt : attemptsOf(m->operationsOf(id), 0)) {
        QCOMPARE(field(attempt, "result"), QStringLiteral("not_reachable"));
        QVERIFY(!attempt.toObject().value(QLatin1String("charged")).toBool());
    }
    QVERIFY(m->server.start());
    QCOMPARE(m->sync().exitCode, 0);
    QCOMPARE(m->serverEntries().size(), 1);
}

void TestSync::accountsStayApart()
{
    const QByteArray password = "correct horse battery";
    QVERIFY(m->server.addAccount(QStringLiteral("bob"), QString::fromLatin1(password)));
    const QString id = m->addedId(QStringLiteral("1"));
    const ProgramEnd out = m->here.cli({QStringLiteral("sign-out")});
    QVERIFY2(out.exitCode == 0 && out.output.contains("1 unsynced"), out.description());
    QCOMPARE(m->signIn(QStringLiteral("bob"), password).exitCode, 0);
    QVERIFY(m->here.cli({QStringLiteral("show"), id}).exitCode != 0);
    m->addedId(QStringLiteral("2"));
    QCOMPARE(m->sync().exitCode, 0);
    QVERIFY(m->serverEntries().isEmpty());
    QCOMPARE(m->serverEntries(QStringLiteral("bob")).size(), 1);
    QCOMPARE(m->here.cli({QStringLiteral("sign-out")}).exitCode, 0);
    QCOMPARE(m->signIn(QStringLiteral("ANA"), "a long password").exitCode,
             0); // the case of a name does not matter
    QCOMPARE(m->sync().exitCode, 0);
    QVERIFY(m->serverEntries().contains(id));
    QCOMPARE(m->serverEntries(QStringLiteral("bob")).size(), 1);
}

void TestSync::aWrongPasswordIsTold()
{
    const ProgramEnd end = m->signIn(QStringLiteral("ana"), "not the password");
    QVERIFY2(end.exitCode == 5, end.description());
    QVERIFY2(end.errors.contains("password"), end.description());
    QCOMPARE(end.errors.count('\n'), 1);
    QVERIFY(!end.errors.contains("not the password"));
}

void TestSync::twoProgramsSyncAtOnce()
{
    for (int i = 0; i < 30; ++i)
        m->addedId(QString::number(i));
    const auto first = m->here.startCli({QStringLiteral("sync")});
    const auto second = m->here.startCli({QStringLiteral("sync")});
    QVERIFY(first->waitForFinished(60'000));
    QVERIFY(second->waitForFinished(60'000));
    QCOMPARE(m->sync().exitCode, 0); // each of the two may have ended while the other one still sent
    QCOMPARE(m->serverEntries().size(), 30);
    const ProgramEnd listed = m->here.cli({QStringLiteral("list"), QStringLiteral("--json")});
    for (const QJsonValue &entry : listed.json().value(QLatin1String("entries")).toArray())
        QCOMPARE(attemptsOf(m->operationsOf(field(entry, "clientEntryId")), 0).size(), 1);
}

void TestSync::saysNoSecretsAtTheHighestLogLevel()
{
    m->here.setEnvironment(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("daybook.*=true"));
    m->server.terminate();
    m->server.setVariable(QStringLiteral("QT_LOGGING_RULES"), QStringLiteral("daybook.*=true"));
    m->server.setErrorFile(m->path(QStringLiteral("server.log")));
    QVERIFY(m->server.start());
    QByteArray said =
        m->add(QStringLiteral("1"), {QStringLiteral("--note"), QStringLiteral("unspeakable-note")}).errors;
    for (const QStringList &options :
         {QStringList{QStringLiteral("--fault"), QStringLiteral("lose-reply")}, QStringList()}) {
        const ProgramEnd end = m->sync(options);
        said += end.output + end.errors;
    }
    said += m->here.cli({QStringLiteral("metrics")}).output;
    m->server.terminate();
    QFile log(m->path(QStringLiteral("server.log")));
    QVERIFY(log.open(QIODevice::ReadOnly));
    said += log.readAll();
    QVERIFY2(said.contains("daybook.server:") && said.contains("daybook.sync:"), said); // the logs were on
    QByteArray stored; // notes belong into the store, what opens the account does not
    for (const char *suffix : {"", "-wal"}) {
        QFile file(m->here.dataFolder() + QStringLiteral("/daybook.sqlite") + QString::fromLatin1(suffix));
        if (file.open(QIODevice::ReadOnly))
            stored += file.readAll();
    }
    QVERIFY(stored.contains("SQLite format 3"));
    QVERIFY(!stored.contains("a long password"));
    QVERIFY(!said.contains("unspeakable-note"));
    QVERIFY(!said.contains("a long password"));
    const QJsonObject tokens = m->here.keptSession();
    for (const char *name : {"accessToken", "refreshToken"}) {
        const QByteArray token = tokens.value(QLatin1String(name)).toString().toLatin1();
        QVERIFY(token.size() > 20);
        QVERIFY(!said.contains(token));
        QVERIFY(!stored.contains(token));
    }
}

QTEST_GUILESS_MAIN(TestSync)
#include "tst_sync.moc"
