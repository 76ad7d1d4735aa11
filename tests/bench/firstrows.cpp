#include "app/datafolder.h"
#include "models/store/connection.h"
#include "tests/bench/filling.h"
#include "tests/bench/measures.h"

#include <QCoreApplication>
#include <QProcess>

#include <utility>

namespace daybook {

namespace {

constexpr double cliGoal = 10;
constexpr double windowGoal = 1.5;
constexpr double growthGoal = 1.2;

/// What the runs of one program took, as whole processes.
struct Runs
{
    Durations milliseconds;
    Durations megabytes;
};

QString programPath(const char *name)
{
    return QCoreApplication::applicationDirPath() + QLatin1Char('/') + QLatin1StringView(name);
}

Result<void> runOnce(const QStringList &command, Runs &runs)
{
    QProcess launcher;
    launcher.start(programPath("daybook-bench-launch"), command);
    constexpr int patienceMilliseconds = 60'000;
    if (!launcher.waitForFinished(patienceMilliseconds) || launcher.exitStatus() != QProcess::NormalExit ||
        launcher.exitCode() != 0)
        return Error{ErrorKind::Internal,
                     QStringLiteral("%1 failed: %2")
                         .arg(command.join(QLatin1Char(' ')),
                              QString::fromLocal8Bit(launcher.readAllStandardError().trimmed()))};
    const QList<QByteArray> words = launcher.readAllStandardOutput().trimmed().split(' ');
    if (words.size() != 2)
        return Error{ErrorKind::Internal, QStringLiteral("the launcher said nothing")};
    runs.milliseconds.add(words.at(0).toDouble());
    runs.megabytes.add(words.at(1).toDouble() / 1e6);
    return {};
}

/// The programs that are measured, on one store.
struct Contest
{
    qint64 entries = 0;
    QString dataFolder;
    Runs cli;
    Runs cApi;
    Runs window;
    Runs emptyWindow;
};

Result<Contest> makeStore(const QDir &folder, qint64 entries)
{
    Contest contest;
    contest.entries = entries;
    contest.dataFolder = folder.filePath(QStringLiteral("first-rows-%1").arg(entries));
    const auto connection = Connection::open(DataFolder(contest.dataFolder).databasePath());
    if (!connection)
        return connection.error();
    const auto account = measuredAccount(**connection);
    if (!account)
        return account.error();
    if (const auto filled = fillEntries(**connection, account->id, entries); !filled)
        return filled.error();
    return contest;
}

Result<void> runAll(Contest &contest)
{
    const QString file = DataFolder(contest.dataFolder).databasePath();
    const std::initializer_list<std::pair<QStringList, Runs *>> programs = {
        {{programPath("daybook-bench-select"), file, QStringLiteral("50")}, &contest.cApi},
        {{programPath("daybook-cli"), QStringLiteral("list"), QStringLiteral("--limit"), QStringLiteral("50"),
          QStringLiteral("--data"), contest.dataFolder},
         &contest.cli},
        {{programPath("daybook-bench-window"), QStringLiteral("empty")}, &contest.emptyWindow},
        {{programPath("daybook-bench-window"), contest.dataFolder}, &contest.window},
    };
    for (const auto &[command, runs] : programs)
        if (const auto ran = runOnce(command, *runs); !ran)
            return ran;
    return {};
}

TableRow row(const QString &work, const char *unit, const Durations &measured, const Durations &baseline,
             double goal)
{
    return {QStringLiteral("P3"), work, QLatin1StringView(unit), measured.median(), measured.percentile(99),
            baseline.median(),    goal};
}

QList<TableRow> growth(const Contest &few, const Contest &many)
{
    const auto grown = [&](const char *what, const char *unit, const Durations &last,
                           const Durations &first) {
        const QString work = QStringLiteral("%1, %L2 entries against %L3")
                                 .arg(QLatin1StringView(what))
                                 .arg(many.entries)
                                 .arg(few.entries);
        return row(work, unit, last, first, growthGoal);
    };
    return {grown("CLI time", "ms", many.cli.milliseconds, few.cli.milliseconds),
            grown("CLI peak memory", "MB", many.cli.megabytes, few.cli.megabytes),
            grown("window time", "ms", many.window.milliseconds, few.window.milliseconds),
            grown("window peak memory", "MB", many.window.megabytes, few.window.megabytes)};
}

} // namespace

/// All sizes in turns, so that growth is not what else the machine did meanwhile.
Result<QList<TableRow>> measureFirstRows(const QDir &folder, const Scale &scale)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QList<Contest> contests;
    for (const qint64 entries : scale.entries) {
        auto made = makeStore(folder, entries);
        if (!made)
            return made.error();
        contests.append(*std::move(made));
    }
    for (int opening = 0; opening < scale.openings; ++opening)
        for (Contest &contest : contests)
            if (const auto ran = runAll(contest); !ran)
                return ran.error();

    QList<TableRow> rows;
    for (const Contest &contest : std::as_const(contests)) {
        QDir(contest.dataFolder).removeRecursively();
        rows.append({row(QStringLiteral("CLI lists 50 of %L1, against a C program").arg(contest.entries),
                         "ms", contest.cli.milliseconds, contest.cApi.milliseconds, cliGoal),
                     row(QStringLiteral("window paints %L1, against an empty one").arg(contest.entries), "ms",
                         contest.window.milliseconds, contest.emptyWindow.milliseconds, windowGoal)});
    }
    return rows + growth(contests.first(), contests.last());
}

} // namespace daybook
