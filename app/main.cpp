#include "app/application.h"
#include "app/guidedtour.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMessageBox>
#include <QTextStream>

#include <cstdio>
#include <memory>
#include <optional>

using namespace daybook;

namespace {

constexpr int exitFailed = 1;
constexpr int exitUsage = 2;

void complain(const QString &sentence) { QTextStream(stderr) << "daybook: " << sentence << "\n"; }

/// Tells why there is no window, and ends the program once it was read.
int explain(const Error &error)
{
    const QString sentence =
        QApplication::translate("main", "Daybook cannot open its data: %1").arg(error.detail);
    complain(sentence);
    if (QApplication::platformName() == QLatin1String("offscreen"))
        return exitFailed;
    QMessageBox box(QMessageBox::Critical, QApplication::applicationDisplayName(), sentence);
    QObject::connect(&box, &QMessageBox::finished, qApp, [] { QApplication::exit(exitFailed); });
    box.open();
    return QApplication::exec();
}

/// What the command line asks for.
struct Options
{
    QString dataFolder;
    QString tourPicture; ///< empty: no guided tour
};

/// Nothing where the command line makes no sense, which was told then. `--help` and `--version` end the
/// program.
std::optional<Options> readOptions()
{
    QCommandLineParser parser;
    parser.setApplicationDescription(
        QStringLiteral("Records numbers with a time, offline or not, on several computers."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({QStringLiteral("data"), QStringLiteral("The data folder (default: the user's own)."),
                      QStringLiteral("DIR")});
    parser.addOption(
        {QStringLiteral("guided-tour"),
         QStringLiteral("Show the main job by itself, write a picture of the window to FILE and end."),
         QStringLiteral("FILE")});
    const bool read = parser.parse(QApplication::arguments());
    if (!read || !parser.positionalArguments().isEmpty()) {
        complain(!read ? parser.errorText()
                       : QStringLiteral("there is nothing to do with '%1'; try --help")
                             .arg(parser.positionalArguments().first()));
        return std::nullopt;
    }
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp(0);
    if (parser.isSet(QStringLiteral("version")))
        parser.showVersion();
    return Options{parser.value(QStringLiteral("data")), parser.value(QStringLiteral("guided-tour"))};
}

/// Another program has this data folder: shows that one.
int handOver(const DataFolder &folder)
{
    if (tellInstance(folder, InstanceMessage::Raise))
        return 0;
    complain(QStringLiteral("another Daybook is just starting on %1; try again").arg(folder.path()));
    return exitFailed;
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("DISPLAY") && qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") &&
        qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        complain(QStringLiteral(
            "there is no display to open a window on; daybook-cli does the same on a terminal"));
        return exitFailed;
    }
    QApplication qt(argc, argv);
    QApplication::setApplicationName(QStringLiteral("daybook"));
    QApplication::setApplicationDisplayName(QStringLiteral("Daybook"));
    QApplication::setApplicationVersion(QStringLiteral(DAYBOOK_VERSION));

    const std::optional<Options> options = readOptions();
    if (!options)
        return exitUsage;
    const DataFolder folder(options->dataFolder);
    Application application(folder);
    if (!application.instanceLink().listen(folder))
        return handOver(folder);
    if (const auto started = application.start(); !started) {
        application.instanceLink().close(); // a second start is to see for itself
        return explain(started.error());
    }

    std::unique_ptr<GuidedTour> tour;
    if (!options->tourPicture.isEmpty()) {
        tour = std::make_unique<GuidedTour>(application, options->tourPicture);
        QObject::connect(tour.get(), &GuidedTour::finished, &qt,
                         [](bool asExpected) { QApplication::exit(asExpected ? 0 : exitFailed); });
        QTimer::singleShot(0, tour.get(), &GuidedTour::start);
    }
    return QApplication::exec();
}
