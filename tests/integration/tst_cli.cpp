#include "app/datafolder.h"
#include "tests/support/program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

using namespace daybook;

/// daybook-cli without a network: what it does, what it prints, how it ends.
class TestCli : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refusesBadInput_data();
    void refusesBadInput();
    void recordsEditsAndDeletes();
    void keepsValuesExactly_data();
    void keepsValuesExactly();
    void takesNegativeValuesAnywhere();
    void knowsAFolderByEachOfItsNames();
    void filtersTheList();
    void saysWhyAFolderCannotBeUsed();
    void refusesADamagedStore();
};

void TestCli::refusesBadInput_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("word"); // what the sentence must name
    const auto row = [](const char *label, const QStringList &arguments, int exitCode, const char *word) {
        QTest::newRow(label) << arguments << exitCode << QByteArray(word);
    };
    const auto words = [](const char *text) { return QString::fromUtf8(text).split(QLatin1Char(' ')); };
    row("no command", {}, 2, "command");
    row("unknown command", words("frobnicate"), 2, "frobnicate");
    row("unknown option", words("list --frobnicate"), 2, "frobnicate");
    row("option of another command", words("add 1 --limit 3"), 2, "--limit");
    row("value missing", words("add"), 2, "VALUE");
    row("empty value", {QStringLiteral("add"), QString()}, 2, "not a number");
    row("negative value with an option of another command", words("add -5 --limit 3"), 2, "--limit");
    row("two values", words("add 1 2"), 2, "VALUE");
    row("four decimals", words("add 1.2345"), 2, "three digits");
    row("no number", words("add twelve"), 2, "not a number");
    row("too large", words("add 1000000000000"), 2, "999,999,999,999.999");
    row("time without offset", words("add 1 --at 2026-01-13T09:10:00"), 2, "RFC 3339");
    row("no such day", words("add 1 --at 2026-02-30T09:10:00Z"), 2, "RFC 3339");
    row("long category",
        {QStringLiteral("add"), QStringLiteral("1"), QStringLiteral("--category"),
         QString(65, QLatin1Char('x'))},
        1, "category");
    row("long note",
        {QStringLiteral("add"), QStringLiteral("1"), QStringLiteral("--note"),
         QString(2001, QLatin1Char('x'))},
        1, "note");
    row("no entry id", words("edit 17 --value 3"), 2, "17");
    row("no such entry", words("edit 0190a4f2-7f2e-4c3a-9d1e-0123456789ab --value 3"), 1, "entry");
    row("no such entry to delete", words("delete 0190a4f2-7f2e-4c3a-9d1e-0123456789ab"), 1, "entry");
    row("no such entry to show", words("show 0190a4f2-7f2e-4c3a-9d1e-0123456789ab"), 1, "entry");
    row("limit zero", words("list --limit 0"), 2, "--limit");
    row("bad filter", words("list --show some"), 2, "--show");
    row("bad fault", words("sync --fault meteor"), 2, "meteor");
    row("sync without account", words("sync"), 5, "sign-in");
    row("sign-out without account", words("sign-out"), 5, "sign-in");
    row("no server", words("sign-in --username ana"), 2, "--server");
    row("server with a path", words("sign-in --server http://127.0.0.1:1/x --username ana"), 2, "--server");
    row("no user name", words("sign-in --server http://127.0.0.1:1"), 2, "--username");
    row("unreachable server", words("sign-in --server http://127.0.0.1:1 --username ana"), 1, "127.0.0.1:1");
}

void TestCli::refusesBadInput()
{
    QFETCH(QStringList, arguments);
    QFETCH(int, exitCode);
    QFETCH(QByteArray, word);
    QTemporaryDir folder;
    const ProgramEnd end = Installation(folder.path()).cli(arguments, "some password\n");
    QVERIFY2(end.exitCode == exitCode, end.description());
    QVERIFY2(end.output.isEmpty(), end.description());
    QVERIFY2(end.errors.startsWith("daybook-cli: ") && end.errors.count('\n') == 1, end.description());
    QVERIFY2(end.errors.contains(word), end.description());
}

void TestCli::recordsEditsAndDeletes()
{
    QTemporaryDir folder;
    const Installation here(folder.path());
    const ProgramEnd added =
        here.cli({QStringLiteral("add"), QStringLiteral("-70.25"), QStringLiteral("--category"),
                  QStringLiteral("Weight (kg)"), QStringLiteral("--at"),
                  QStringLiteral("2026-01-13T09:10:00+09:00"), QStringLiteral("--json")});
    QVERIFY2(added.exitCode == 0, added.description());
    const QString id = added.json().value(QLatin1String("clientEntryId")).toString();
    QCOMPARE(added.json().value(QLatin1String("syncState")).toString(), QStringLiteral("local_only"));
    QCOMPARE(added.json().value(QLatin1String("recordedAt")).toString(),
             QStringLiteral("2026-01-13T09:10:00+09:00"));

    const ProgramEnd edited = here.cli({QStringLiteral("edit"), id, QStringLiteral("--note"),
                                        QStringLiteral("after a run"), QStringLiteral("--json")});
    QVERIFY2(edited.exitCode == 0, edited.description());
    QCOMPARE(edited.json().value(QLatin1String("note")).toString(), QStringLiteral("after a run"));
    QCOMPARE(edited.json().value(QLatin1String("value")).toDouble(), -70.25);
    QCOMPARE(edited.json().value(QLatin1String("category")).toString(), QStringLiteral("Weight (kg)"));

    QCOMPARE(here.cli({QStringLiteral("delete"), id}).exitCode, 0);
    const ProgramEnd listed = here.cli({QStringLiteral("list"), QStringLiteral("--json")});
    QVERIFY(listed.json().value(QLatin1String("entries")).toArray().isEmpty());
    const ProgramEnd verified = here.cli({QStringLiteral("verify")});
    QVERIFY2(verified.exitCode == 0, verified.description());
}

void TestCli::keepsValuesExactly_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QByteArray>("printed");
    for (const auto &[typed, printed] :
         {std::pair("0.1", "0.1"), std::pair("0.07", "0.07"), std::pair("1.00", "1"), std::pair("-0", "0"),
          std::pair("999999999999.999", "999999999999.999"),
          std::pair("-999999999999.999", "-999999999999.999"),
          std::pair("123456789012.345", "123456789012.345")})
        QTest::newRow(typed) << QString::fromLatin1(typed) << QByteArray(printed);
}

void TestCli::keepsValuesExactly()
{
    QFETCH(QString, typed);
    QFETCH(QByteArray, printed);
    QTemporaryDir folder;
    const Installation here(folder.path());
    QCOMPARE(here.cli({QStringLiteral("add"), typed}).exitCode, 0);
    const ProgramEnd text = here.cli({QStringLiteral("list")});
    QVERIFY2(text.output.simplified().split(' ').contains(printed), text.description());
    const ProgramEnd json = here.cli({QStringLiteral("list"), QStringLiteral("--json")});
    QVERIFY2(json.output.contains("\"value\": " + printed + "\n") ||
                 json.output.contains("\"value\": " + printed + ","),
             json.description());
}

void TestCli::takesNegativeValuesAnywhere()
{
    QTemporaryDir folder;
    const Installation here(folder.path());
    for (const char *line :
         {"add -5", "add -5 --note x", "add --note x -5", "add --json -5", "add --note -7 -5"}) {
        const ProgramEnd end = here.cli(QString::fromLatin1(line).split(QLatin1Char(' ')));
        QVERIFY2(end.exitCode == 0, end.description());
    }
    const QJsonArray entries = here.cli({QStringLiteral("list"), QStringLiteral("--json")})
                                   .json()
                                   .value(QLatin1String("entries"))
                                   .toArray();
    QCOMPARE(entries.size(), 5);
    for (const QJsonValue &entry : entries)
        QCOMPARE(entry.toObject().value(QLatin1String("value")).toDouble(), -5.0);
    const QString id = entries.first().toObject().value(QLatin1String("clientEntryId")).toString();
    const ProgramEnd edited =
        here.cli({QStringLiteral("edit"), id, QStringLiteral("--value"), QStringLiteral("-6.5")});
    QVERIFY2(edited.exitCode == 0, edited.description());
}

void TestCli::knowsAFolderByEachOfItsNames()
{
    QTemporaryDir folder;
    QVERIFY(QDir().mkpath(folder.filePath(QStringLiteral("real"))));
    QVERIFY(QFile::link(folder.filePath(QStringLiteral("real")), folder.filePath(QStringLiteral("link"))));
    const DataFolder before(folder.filePath(QStringLiteral("link/new/data")));
    QCOMPARE(before.path(), DataFolder(folder.filePath(QStringLiteral("real/new/data"))).path());
    QVERIFY(QDir().mkpath(before.path()));
    QCOMPARE(DataFolder(folder.filePath(QStringLiteral("link/new/../new/data"))).path(), before.path());
}

void TestCli::filtersTheList()
{
    QTemporaryDir folder;
    const Installation here(folder.path());
    for (const char *line :
         {"1 --category Weight --note morning", "2 --category Weight --note 100%", "3 --category Water"})
        QCOMPARE(
            here.cli(QStringList{QStringLiteral("add")} + QString::fromLatin1(line).split(QLatin1Char(' ')))
                .exitCode,
            0);
    const auto count = [&here](const QStringList &options) {
        return here.cli(QStringList{QStringLiteral("list"), QStringLiteral("--json")} + options)
            .json()
            .value(QLatin1String("entries"))
            .toArray()
            .size();
    };
    QCOMPARE(count({}), 3);
    QCOMPARE(count({QStringLiteral("--limit"), QStringLiteral("2")}), 2);
    QCOMPARE(count({QStringLiteral("--category"), QStringLiteral("Weight")}), 2);
    QCOMPARE(count({QStringLiteral("--search"), QStringLiteral("MORN")}), 1);
    QCOMPARE(count({QStringLiteral("--search"), QStringLiteral("%")}), 1);
    QCOMPARE(count({QStringLiteral("--show"), QStringLiteral("unsynced")}), 0); // nobody is signed in
}

void TestCli::saysWhyAFolderCannotBeUsed()
{
    QTemporaryDir folder;
    QFile blocked(folder.filePath(QStringLiteral("data"))); // a file where the folder has to be
    QVERIFY(blocked.open(QIODevice::WriteOnly));
    const ProgramEnd end = Installation(folder.path()).cli({QStringLiteral("add"), QStringLiteral("1")});
    QCOMPARE(end.exitCode, 1);
    QVERIFY2(end.errors.contains(folder.filePath(QStringLiteral("data")).toUtf8()), end.description());
    QCOMPARE(end.errors.count('\n'), 1);
}

void TestCli::refusesADamagedStore()
{
    QTemporaryDir folder;
    const Installation here(folder.path());
    QCOMPARE(here.cli({QStringLiteral("add"), QStringLiteral("1")}).exitCode, 0);
    const QString path = here.dataFolder() + QStringLiteral("/daybook.sqlite");
    const QByteArray garbage(8192, 'x');
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(garbage), garbage.size());
    file.close();
    const ProgramEnd end = here.cli({QStringLiteral("list")});
    QCOMPARE(end.exitCode, 6);
    QCOMPARE(end.errors.count('\n'), 1);
    QVERIFY(file.open(QIODevice::ReadOnly)); // kept as it was
    QCOMPARE(file.readAll(), garbage);
}

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
