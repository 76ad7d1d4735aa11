// daybook-bench: what the program costs, against baselines in the same run. See README.md.

#include "tests/bench/drain.h"
#include "tests/bench/measures.h"
#include "tests/bench/singles.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QStorageInfo>
#include <QTemporaryDir>
#include <QTextStream>

#include <cstdlib>

using namespace daybook;

namespace {

int fail(const QString &why)
{
    QTextStream(stderr) << "daybook-bench: " << why << Qt::endl;
    return EXIT_FAILURE;
}

int finish(const Result<QByteArray> &line)
{
    if (!line)
        return fail(line.error().detail);
    print(QString::fromUtf8(*line));
    return EXIT_SUCCESS;
}

/// The whole table. Everything is made in \p parent and removed at the end.
int measureAll(const QString &parent, const Scale &scale, bool json)
{
    const QTemporaryDir temporary(parent + QStringLiteral("/daybook-bench-XXXXXX"));
    if (!temporary.isValid())
        return fail(temporary.errorString());
    if (QStorageInfo(temporary.path()).fileSystemType() == "tmpfs")
        QTextStream(stderr) << "daybook-bench: " << parent
                            << " is in memory, so nothing here is durable; choose a disk with --folder"
                            << Qt::endl;
    QList<TableRow> rows;
    for (const auto measure : {measureSaves, measureFirstRows, measureLeases}) {
        const auto measured = measure(QDir(temporary.path()), scale);
        if (!measured)
            return fail(measured.error().detail);
        rows += *measured;
    }
    print(json ? QString::fromUtf8(toJson(rows)) : toTable(rows));
    return EXIT_SUCCESS;
}

int drain(const DataFolder &folder, const QString &server, const QString &username)
{
    const QString password = QTextStream(stdin).readLine();
    Drain drain(folder);
    QObject::connect(&drain, &Drain::finished, &drain,
                     [](const Result<QByteArray> &line) { QCoreApplication::exit(finish(line)); });
    drain.start(server, username, password);
    return QCoreApplication::exec();
}

} // namespace

int main(int count, char **arguments)
{
    const QCoreApplication application(count, arguments);
    QCoreApplication::setApplicationVersion(QStringLiteral(DAYBOOK_VERSION));
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral(
        "Without a measure: the table of P1, P3 and P4. With one of fill, save, first-rows and drain: that\n"
        "measure on a data folder, as one line of JSON."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("measure"), QStringLiteral("fill, save, first-rows or drain"),
                                 QStringLiteral("[measure]"));
    const auto option = [&parser](const char *name, const char *description, const char *value = "") {
        const QCommandLineOption made(QString::fromLatin1(name), QString::fromLatin1(description),
                                      QString::fromLatin1(value));
        parser.addOption(made);
        return made;
    };
    const auto json = option("json", "the table as JSON");
    const auto quick = option("quick", "the table with smaller sizes");
    const auto parent = option("folder", "where the table's stores are made for a while", "DIR");
    const auto data = option("data", "the data folder of a single measure", "DIR");
    const auto number = option("n", "how many entries to fill or save", "N");
    const auto server = option("server", "the server to drain to, such as http://127.0.0.1:8080", "URL");
    const auto username =
        option("username", "whom to sign in; the password is read from standard input", "NAME");
    parser.process(application);

    const QStringList measures = parser.positionalArguments();
    if (measures.isEmpty())
        return measureAll(parser.isSet(parent) ? parser.value(parent) : QDir::tempPath(),
                          parser.isSet(quick) ? Scale::quick() : Scale(), parser.isSet(json));
    const QString measure = measures.first();
    if (measures.size() > 1 || !parser.isSet(data))
        return fail(QStringLiteral("one measure and --data DIR are needed"));
    const DataFolder folder(parser.value(data));
    if (measure == QLatin1String("first-rows"))
        return finish(firstRows(folder));
    if (measure == QLatin1String("drain") && !(parser.isSet(server) && parser.isSet(username)))
        return fail(QStringLiteral("drain needs --server URL and --username NAME"));
    if (measure == QLatin1String("drain"))
        return drain(folder, parser.value(server), parser.value(username));
    const qint64 wanted = parser.value(number).toLongLong();
    if (wanted <= 0)
        return fail(QStringLiteral("--n takes a number of at least 1"));
    if (measure == QLatin1String("fill"))
        return finish(fill(folder, wanted));
    if (measure == QLatin1String("save"))
        return finish(save(folder, wanted));
    return fail(QStringLiteral("there is no measure called %1").arg(measure));
}
