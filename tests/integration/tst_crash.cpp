#include "models/domain/crashpoint.h"
#include "tests/integration/signedin.h"

#include <QTest>

using namespace daybook;

/// A process that ends itself at each named point between two effects, and what the next start makes of it.
class TestCrash : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whileSaving_data();
    void whileSaving();
    void whileSending_data();
    void whileSending();
    void onTheServer_data();
    void onTheServer();
    void everyPointIsTested();

private:
    static QString nameOf(CrashPoint point) { return QString::fromLatin1(crashPointName(point)); }
};

namespace {

const QString crashAt = QStringLiteral("DAYBOOK_CRASH_AT");

/// Points of the client while it saves, and whether the entry is there afterwards.
const std::vector<std::pair<CrashPoint, bool>> savingPoints = {
    {CrashPoint::EntryInserted, false},
    {CrashPoint::OperationInserted, false},
    {CrashPoint::SaveCommitted, true},
};

/// Points of the client while it sends, and whether the server has acted by then.
const std::vector<std::pair<CrashPoint, bool>> sendingPoints = {
    {CrashPoint::LeaseCommitted, false},
    {CrashPoint::ReplyReceived, true},
    {CrashPoint::ReconcileHalfDone, true},
    {CrashPoint::ReconcileCommitted, true},
};

/// Points of the server, and whether its change is durable by then.
const std::vector<std::pair<CrashPoint, bool>> serverPoints = {
    {CrashPoint::ServerClaimed, false},
    {CrashPoint::ServerEntryWritten, false},
    {CrashPoint::ServerBeforeCommit, false},
    {CrashPoint::ServerCommitted, true},
};

void addRows(const std::vector<std::pair<CrashPoint, bool>> &points, const char *flag)
{
    QTest::addColumn<CrashPoint>("point");
    QTest::addColumn<bool>(flag);
    for (const auto &[point, value] : points)
        QTest::newRow(crashPointName(point)) << point << value;
}

void verify(const SignedIn &m)
{
    const ProgramEnd verified = m.here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
}

} // namespace

void TestCrash::whileSaving_data() { addRows(savingPoints, "saved"); }

void TestCrash::whileSaving()
{
    QFETCH(CrashPoint, point);
    QFETCH(bool, saved);
    SignedIn m;
    QVERIFY(m.ready());
    m.here.setEnvironment(crashAt, nameOf(point));
    const ProgramEnd crashed = m.add(QStringLiteral("1"));
    QVERIFY2(crashed.exitCode == crashPointExitCode, crashed.description());
    m.here.unsetEnvironment(crashAt);
    verify(m);
    const ProgramEnd synced = m.sync();
    QVERIFY2(synced.exitCode == 0, synced.description());
    QCOMPARE(m.serverEntries().size(), saved ? 1 : 0);
    verify(m);
}

void TestCrash::whileSending_data() { addRows(sendingPoints, "acted"); }

void TestCrash::whileSending()
{
    QFETCH(CrashPoint, point);
    QFETCH(bool, acted);
    SignedIn m;
    QVERIFY(m.ready());
    const QString id = m.addedId(QStringLiteral("1"));
    m.here.setEnvironment(crashAt, nameOf(point));
    const ProgramEnd crashed = m.sync();
    QVERIFY2(crashed.exitCode == crashPointExitCode, crashed.description());
    m.here.unsetEnvironment(crashAt);
    QCOMPARE(m.serverEntries().size(), acted ? 1 : 0);
    verify(m);
    m.here.setClockOffset(std::chrono::seconds(100)); // past the lease of the dead one
    const ProgramEnd synced = m.sync();
    QVERIFY2(synced.exitCode == 0, synced.description());
    QCOMPARE(m.stateOf(id), QStringLiteral("synced"));
    const QHash<QString, SignedIn::ServerEntry> expected = {{id, {1000, 1, false}}};
    QCOMPARE(m.serverEntries(), expected);
    verify(m);
}

void TestCrash::onTheServer_data() { addRows(serverPoints, "durable"); }

void TestCrash::onTheServer()
{
    QFETCH(CrashPoint, point);
    QFETCH(bool, durable);
    SignedIn m;
    QVERIFY(m.ready());
    QCOMPARE(m.server.terminate(), 0);
    m.server.setVariable(crashAt, nameOf(point));
    QVERIFY(m.server.start());
    const QString id = m.addedId(QStringLiteral("1"));
    const ProgramEnd unanswered = m.sync();
    QVERIFY2(unanswered.exitCode == 3, unanswered.description());
    QCOMPARE(m.server.waitForExit(), crashPointExitCode);
    m.server.setVariable(crashAt, {});
    QVERIFY(m.server.start());
    QCOMPARE(m.serverEntries().size(), durable ? 1 : 0);
    const ProgramEnd synced = m.sync();
    QVERIFY2(synced.exitCode == 0, synced.description());
    const QJsonArray attempts =
        m.operationsOf(id).first().toObject().value(QLatin1String("attempts")).toArray();
    QCOMPARE(attempts.last().toObject().value(QLatin1String("replayed")).toBool(), durable);
    QCOMPARE(m.serverEntries().size(), 1);
    verify(m);
}

void TestCrash::everyPointIsTested()
{
    QStringList tested;
    for (const auto *points : {&savingPoints, &sendingPoints, &serverPoints})
        for (const auto &[point, flag] : *points)
            tested += nameOf(point);
    QStringList known;
    for (int i = 0; crashPointName(static_cast<CrashPoint>(i)) != nullptr; ++i)
        known += nameOf(static_cast<CrashPoint>(i));
    tested.sort();
    known.sort();
    QCOMPARE(tested, known);
}

QTEST_GUILESS_MAIN(TestCrash)
#include "tst_crash.moc"
