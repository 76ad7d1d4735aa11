#include "sync/server/options.h"

#include <QTemporaryDir>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

namespace {

QProcessEnvironment environment(const QStringList &assignments = {})
{
    QProcessEnvironment result;
    for (const QString &assignment : assignments)
        result.insert(assignment.section(QLatin1Char('='), 0, 0), assignment.section(QLatin1Char('='), 1));
    return result;
}

QStringList words(const QString &line)
{
    return QStringList(QStringLiteral("daybook-server")) + line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

} // namespace

class OptionsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void defaults()
    {
        const auto options = readServerOptions(words(QStringLiteral("serve")),
                                               environment({QStringLiteral("HOME=/home/somebody")}));
        QVERIFY(options);
        QCOMPARE(options->command, ServerOptions::Command::Serve);
        QCOMPARE(options->service.databasePath,
                 QStringLiteral("/home/somebody/.local/share/daybook-server/server.sqlite"));
        QCOMPARE(options->listenHost, QStringLiteral("127.0.0.1"));
        QCOMPARE(options->listenPort, quint16(8640));
        QVERIFY(!options->service.registrationOpen);
        QVERIFY(!options->allowPlainHttp);
        QVERIFY(options->service.responseRetention == 30 * 24h);
        QVERIFY(options->service.tombstoneRetention == 400 * 24h);
    }

    void theDataFolderOfTheEnvironmentIsUsed()
    {
        const auto options = readServerOptions(words(QStringLiteral("serve")),
                                               environment({QStringLiteral("XDG_DATA_HOME=/data")}));
        QVERIFY(options);
        QCOMPARE(options->service.databasePath, QStringLiteral("/data/daybook-server/server.sqlite"));
    }

    void everyOptionIsRead()
    {
        const auto options = readServerOptions(
            words(QStringLiteral("serve --database sqlite:///a/b#c.db --listen [::]:0 --registration open "
                                 "--response-retention 90m --tombstone-retention 2h --allow-plain-http")),
            environment());
        QVERIFY2(options, options ? "" : qPrintable(options.error().detail));
        QCOMPARE(options->service.databasePath, QStringLiteral("/a/b#c.db"));
        QCOMPARE(options->listenHost, QStringLiteral("::"));
        QCOMPARE(options->listenPort, quint16(0));
        QVERIFY(options->service.registrationOpen);
        QVERIFY(options->service.responseRetention == 90min);
        QVERIFY(options->service.tombstoneRetention == 2h);
        QVERIFY(options->allowPlainHttp);
    }

    void accountCommands()
    {
        const auto add = readServerOptions(
            words(QStringLiteral("account add --username ann --display-name Ann")), environment());
        QVERIFY(add);
        QCOMPARE(add->command, ServerOptions::Command::AddAccount);
        QCOMPARE(add->username, QStringLiteral("ann"));
        QCOMPARE(add->displayName, QStringLiteral("Ann"));
        const auto passwd =
            readServerOptions(words(QStringLiteral("account passwd --username ann")), environment());
        QVERIFY(passwd);
        QCOMPARE(passwd->command, ServerOptions::Command::ChangePassword);
    }

    void theNearestSourceWins_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<int>("port");

        const QStringList variable{QStringLiteral("DAYBOOK_SERVER_LISTEN=127.0.0.1:2")};
        const QString argument = QStringLiteral("--listen 127.0.0.1:3");
        const QByteArray file = "# where\n\n  listen = 127.0.0.1:1 \nregistration=open\n";
        QTest::newRow("nothing") << QString() << QStringList() << QByteArray() << 8640;
        QTest::newRow("file") << QString() << QStringList() << file << 1;
        QTest::newRow("environment over file") << QString() << variable << file << 2;
        QTest::newRow("empty variable says nothing")
            << QString() << QStringList{QStringLiteral("DAYBOOK_SERVER_LISTEN=")} << file << 1;
        QTest::newRow("command line over environment") << argument << variable << QByteArray() << 3;
        QTest::newRow("command line over all") << argument << variable << file << 3;
        QTest::newRow("last of two") << argument + QStringLiteral(" --listen 127.0.0.1:4") << variable << file
                                     << 4;
    }

    void theNearestSourceWins()
    {
        QFETCH(QString, arguments);
        QFETCH(QStringList, variables);
        QFETCH(QByteArray, file);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("server.conf"));
        QFile config(path);
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(file);
        config.close();

        const auto byArgument = readServerOptions(
            words(QStringLiteral("serve --config %1 %2").arg(path, arguments)), environment(variables));
        QVERIFY2(byArgument, byArgument ? "" : qPrintable(byArgument.error().detail));
        QTEST(int(byArgument->listenPort), "port");
        QCOMPARE(byArgument->service.registrationOpen, !file.isEmpty());

        const auto byVariable = readServerOptions(
            words(QStringLiteral("serve %1").arg(arguments)),
            environment(variables + QStringList{QStringLiteral("DAYBOOK_SERVER_CONFIG=%1").arg(path)}));
        QVERIFY(byVariable);
        QTEST(int(byVariable->listenPort), "port");
    }

    void mistakesAreNamed_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("named"); // what the sentence must name

        const auto row = [](const char *arguments, const char *named, const QStringList &variables = {}) {
            QTest::newRow(qPrintable(QString::fromLatin1(arguments) + variables.join(QLatin1Char(' '))))
                << QString::fromLatin1(arguments) << variables << QString::fromLatin1(named);
        };
        row("", "Say what to do");
        row("sing", "\"sing\" is no command");
        row("serve account", "is no command");
        row("serve --volume 11", "volume");
        row("serve --listen", "listen");
        row("serve --listen 8640", "--listen");
        row("serve --listen example.org:80", "--listen");
        row("serve --listen 127.0.0.1:65536", "--listen");
        row("serve --listen 127.0.0.1:-1", "--listen");
        row("serve --listen ::1:80", "--listen");
        row("serve --listen 0.0.0.0:80", "--allow-plain-http");
        row("serve --listen [::]:80", "--allow-plain-http");
        row("serve --database /tmp/x", "sqlite:///");
        row("serve --database sqlite://x", "sqlite:///");
        row("serve --database sqlite:///folder/", "sqlite:///");
        row("serve --database postgresql://h/d", "SQLite only");
        row("serve --registration maybe", "open or closed");
        row("serve --response-retention 0d", "30d");
        row("serve --response-retention 30", "30d");
        row("serve --response-retention 1w", "30d");
        row("serve --tombstone-retention -1d", "30d");
        row("serve --tombstone-retention 100000d", "99999");
        row("serve --response-retention 2d --tombstone-retention 1d", "--tombstone-retention");
        row("serve --tls-cert x", "tls-cert");
        row("serve --username ann", "--username");
        row("serve --config /does/not/exist", "/does/not/exist");
        row("account add", "--username");
        row("account passwd --username a --display-name b", "--display-name");
        row("serve", "DAYBOOK_SERVER_LISTEN", {QStringLiteral("DAYBOOK_SERVER_LISTEN=nowhere")});
        row("serve", "DAYBOOK_SERVER_ALLOW_PLAIN_HTTP",
            {QStringLiteral("DAYBOOK_SERVER_ALLOW_PLAIN_HTTP=yes")});
    }

    void mistakesAreNamed()
    {
        QFETCH(QString, arguments);
        QFETCH(QStringList, variables);
        QFETCH(QString, named);
        const auto options = readServerOptions(words(arguments), environment(variables));
        QVERIFY(!options);
        QCOMPARE(options.error().kind, ErrorKind::InvalidArgument);
        QVERIFY2(options.error().detail.contains(named), qPrintable(options.error().detail));
        QVERIFY2(options.error().detail.endsWith(QLatin1Char('.')), qPrintable(options.error().detail));
    }

    void mistakesInTheFileAreNamedByLine_data()
    {
        QTest::addColumn<QByteArray>("file");
        QTest::addColumn<QString>("named");
        QTest::newRow("unknown name") << QByteArray("\nvolume = 11\n") << QStringLiteral("Line 2 ");
        QTest::newRow("no equals sign") << QByteArray("# x\n\nlisten\n") << QStringLiteral("Line 3 ");
        QTest::newRow("twice") << QByteArray("registration=open\nregistration=closed\n")
                               << QStringLiteral("Line 2 ");
        QTest::newRow("bad value") << QByteArray("registration=wide\n")
                                   << QStringLiteral("server.conf, registration");
        QTest::newRow("empty value") << QByteArray("registration=\n")
                                     << QStringLiteral("server.conf, registration");
    }

    void mistakesInTheFileAreNamedByLine()
    {
        QFETCH(QByteArray, file);
        QFETCH(QString, named);
        QTemporaryDir folder;
        QFile config(folder.filePath(QStringLiteral("server.conf")));
        QVERIFY(config.open(QIODevice::WriteOnly));
        config.write(file);
        config.close();
        const auto options = readServerOptions(
            words(QStringLiteral("serve --config %1").arg(config.fileName())), environment());
        QVERIFY(!options);
        QVERIFY2(options.error().detail.contains(named), qPrintable(options.error().detail));
    }

    void helpNamesEveryCommandAndOption()
    {
        QVERIFY(readServerOptions(words(QStringLiteral("--help")), environment())->command ==
                ServerOptions::Command::ShowHelp);
        QVERIFY(readServerOptions(words(QStringLiteral("--version")), environment())->command ==
                ServerOptions::Command::ShowVersion);
        const QString help = serverHelp();
        for (const char *word :
             {"serve", "account add", "account passwd", "--database", "--listen", "--registration",
              "--response-retention", "--tombstone-retention", "--allow-plain-http", "--config", "--username",
              "--display-name", "--help", "--version"})
            QVERIFY2(help.contains(QLatin1StringView(word)), word);
    }
};

QTEST_GUILESS_MAIN(OptionsTest)
#include "tst_options.moc"
