#include "tests/integration/signedin.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QTest>

using namespace daybook;

/// The real window's program as a process, offscreen.
class TestApp : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theGuidedTourEndsAsExpected();
    void syncsWhatTheCommandLineAdds();
    void followsTheAccountOfTheCommandLine();
    void aSecondStartHandsOver();
    void endsQuicklyWithAFullQueue();
    void refusesBadInput_data();
    void refusesBadInput();
};

namespace {

constexpr int patience = 30'000;

/// True once the window's program listens for others, which it does before it opens its store.
bool isUp(const SignedIn &m) { return m.here.cli({QStringLiteral("list")}).exitCode == 0; }

} // namespace

void TestApp::theGuidedTourEndsAsExpected()
{
    const SignedIn m;
    QVERIFY(m.ready());
    const QString picture = m.path(QStringLiteral("pictures/tour.png"));
    const auto tour = m.here.startApp({QStringLiteral("--guided-tour"), picture});
    QVERIFY(tour->waitForFinished(patience));
    const QByteArray said = tour->readAllStandardOutput();
    QVERIFY2(tour->exitStatus() == QProcess::NormalExit && tour->exitCode() == 0, said);
    QVERIFY2(said.contains("3 entries on the server, 1 of them replayed."), said);
    QVERIFY2(said.contains(picture.toUtf8()), said);
    QVERIFY(QImage(picture).width() >= 640);
    QCOMPARE(m.serverEntries().size(), 3);
    const ProgramEnd verified = m.here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
}

void TestApp::syncsWhatTheCommandLineAdds()
{
    const SignedIn m;
    QVERIFY(m.ready());
    const auto app = m.here.startApp();
    QVERIFY(app->waitForStarted());
    const QString id = m.addedId(QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(m.serverEntries().contains(id), patience);
    const QString another =
        m.addedId(QStringLiteral("2")); // now the window's program surely runs: it must be told
    QTRY_VERIFY_WITH_TIMEOUT(m.serverEntries().contains(another), patience);
    app->terminate();
    app->waitForFinished(patience);
}

void TestApp::followsTheAccountOfTheCommandLine()
{
    SignedIn m;
    QVERIFY(m.ready());
    const QString bob = QStringLiteral("bob");
    QVERIFY(m.server.addAccount(bob, QStringLiteral("correct horse battery")));
    const auto app = m.here.startApp();
    const QString ofAna = m.addedId(QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(m.serverEntries().contains(ofAna), patience);
    QCOMPARE(m.here.cli({QStringLiteral("sign-out")}).exitCode, 0);
    const QString local = m.addedId(QStringLiteral("2"));
    QCOMPARE(m.signIn(bob, "correct horse battery").exitCode, 0);
    const QString ofBob = m.addedId(QStringLiteral("3"));
    // Only the window's program sends here, so it has followed.
    QTRY_VERIFY_WITH_TIMEOUT(m.serverEntries(bob).contains(ofBob), patience);
    QCOMPARE(m.serverEntries(bob).size(), 1);
    QCOMPARE(m.serverEntries().size(), 1);
    QVERIFY(!m.serverEntries(bob).contains(local));
    app->terminate();
    app->waitForFinished(patience);
}

void TestApp::aSecondStartHandsOver()
{
    const SignedIn m;
    QVERIFY(m.ready());
    const auto first = m.here.startApp();
    const QString id = m.addedId(QStringLiteral("1"));
    QTRY_VERIFY_WITH_TIMEOUT(m.serverEntries().contains(id), patience); // it is up
    const auto second = m.here.startApp();
    QVERIFY(second->waitForFinished(patience));
    QCOMPARE(second->exitCode(), 0);
    QCOMPARE(first->state(), QProcess::Running);
    first->terminate();
    first->waitForFinished(patience);
}

void TestApp::endsQuicklyWithAFullQueue()
{
    SignedIn m;
    QVERIFY(m.ready());
    m.server.kill();
    for (int i = 0; i < 5; ++i)
        m.addedId(QString::number(i));
    const auto app = m.here.startApp();
    QTRY_VERIFY_WITH_TIMEOUT(isUp(m), patience);
    app->terminate();
    QVERIFY(app->waitForFinished(5'000)); // never waits for the network
    const ProgramEnd verified = m.here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
}

void TestApp::refusesBadInput_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<bool>("blockFolder");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("unknown option") << QStringList{QStringLiteral("--frobnicate")} << false << 2
                                    << QByteArray("frobnicate");
    QTest::newRow("operand") << QStringList{QStringLiteral("frobnicate")} << false << 2
                             << QByteArray("frobnicate");
    QTest::newRow("folder cannot be made") << QStringList() << true << 1 << QByteArray("data");
}

void TestApp::refusesBadInput()
{
    QFETCH(QStringList, arguments);
    QFETCH(bool, blockFolder);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, word);
    QTemporaryDir folder;
    const Installation here(folder.filePath(QStringLiteral("client")));
    QVERIFY(QDir().mkpath(folder.filePath(QStringLiteral("client"))));
    QFile blocked(here.dataFolder());
    if (blockFolder)
        QVERIFY(blocked.open(QIODevice::WriteOnly));
    const auto app = here.startApp(arguments);
    QVERIFY(app->waitForFinished(patience));
    QCOMPARE(app->exitCode(), exitCode);
    const QByteArray said = app->readAllStandardError();
    QVERIFY2(said.contains("daybook: ") && said.contains(word), said);
}

QTEST_GUILESS_MAIN(TestApp)
#include "tst_app.moc"
