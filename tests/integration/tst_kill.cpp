#include "tests/integration/signedin.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QThread>

#include <algorithm>

using namespace daybook;

/// Real processes killed (SIGKILL) at random moments of a scripted run: 50 entries are recorded and synced
/// while command line, app and server die again and again. Afterwards each entry is on the server once.
class TestKill : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fiftyEntriesSurviveTwoHundredKills();

private:
    void recordUnderFire(SignedIn &m, int number);
    void syncUnderFire(SignedIn &m, QProcess &program);
    void killAfter(QProcess &program, int atMostMilliseconds);
    bool isListed(const SignedIn &m, int number) const;
    QJsonArray listed(const SignedIn &m) const;

    QRandomGenerator m_random;
    int m_kills = 0;
};

void TestKill::killAfter(QProcess &program, int atMostMilliseconds)
{
    // A process that ends by itself before its moment was not killed.
    if (program.waitForFinished(m_random.bounded(1, atMostMilliseconds)))
        return;
    program.kill();
    if (program.waitForFinished() && program.exitStatus() == QProcess::CrashExit)
        ++m_kills;
}

/// A killed `add` may have saved or not; whoever runs it again looks first, as a person would.
void TestKill::recordUnderFire(SignedIn &m, int number)
{
    for (int tries = 0; !isListed(m, number); ++tries) {
        QVERIFY2(tries < 10, "an entry cannot be saved even when nobody kills");
        const auto add = m.here.startCli({QStringLiteral("add"), QString::number(number)});
        if (tries < 3)
            killAfter(*add, 60);
        else
            QVERIFY(add->waitForFinished());
        if (add->exitStatus() == QProcess::NormalExit && add->exitCode() == 0)
            QVERIFY(isListed(m, number)); // what was reported as saved is there
    }
}

bool TestKill::isListed(const SignedIn &m, int number) const
{
    const QJsonArray entries = listed(m);
    return std::any_of(entries.begin(), entries.end(), [number](const QJsonValue &entry) {
        return entry.toObject().value(QLatin1String("value")).toDouble() == number;
    });
}

QJsonArray TestKill::listed(const SignedIn &m) const
{
    return m.here
        .cli({QStringLiteral("list"), QStringLiteral("--limit"), QStringLiteral("1000"),
              QStringLiteral("--json")})
        .json()
        .value(QLatin1String("entries"))
        .toArray();
}

void TestKill::syncUnderFire(SignedIn &m, QProcess &program)
{
    if (m_random.bounded(3) == 0) {
        QThread::msleep(static_cast<unsigned long>(m_random.bounded(1, 200)));
        m.server.kill();
        ++m_kills;
        killAfter(program, 200);
        QVERIFY(m.server.start());
    } else {
        killAfter(program, 400);
    }
    const ProgramEnd verified = m.here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
}

void TestKill::fiftyEntriesSurviveTwoHundredKills()
{
    const quint32 seed = qEnvironmentVariableIsSet("DAYBOOK_KILL_SEED")
                             ? static_cast<quint32>(qEnvironmentVariableIntValue("DAYBOOK_KILL_SEED"))
                             : QRandomGenerator::system()->generate();
    m_random.seed(seed);
    qInfo("DAYBOOK_KILL_SEED=%u", seed);
    constexpr int entries = 50;
    constexpr int wantedKills = 200;
    SignedIn m;
    QVERIFY(m.ready());

    std::chrono::seconds offset{};
    for (int number = 1; number <= entries || m_kills < wantedKills; ++number) {
        if (number <= entries)
            recordUnderFire(m, number);
        // Each round is past the leases of the one before it, as if the person came back two minutes later.
        offset += std::chrono::seconds(120);
        m.here.setClockOffset(offset);
        const auto program = number % 2 == 0 ? m.here.startApp() : m.here.startCli({QStringLiteral("sync")});
        syncUnderFire(m, *program);
        if (QTest::currentTestFailed())
            return;
    }

    m.here.setClockOffset(offset + std::chrono::seconds(120));
    const ProgramEnd synced = m.sync();
    QVERIFY2(synced.exitCode == 0, synced.description());
    const ProgramEnd verified = m.here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
    QCOMPARE(listed(m).size(), entries);
    QSet<qint64> expected;
    for (int number = 1; number <= entries; ++number)
        expected.insert(number * 1000LL);
    QSet<qint64> onServer;
    for (const auto &entry : m.serverEntries()) {
        QCOMPARE(entry.version, 1);
        QVERIFY2(!onServer.contains(entry.thousandths), "an entry is on the server twice");
        onServer.insert(entry.thousandths);
    }
    QCOMPARE(onServer, expected);
    qInfo("%d kills", m_kills);
}

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
