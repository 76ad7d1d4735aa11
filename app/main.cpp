#include "app/application.h"
#include "app/guidedtour.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QMessageBox>
#include <QTextStream>

#include <cstdio>

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

} // namespace

int main(int argc, char **argv)
{
    QApplication qt(argc, argv);
    QApplication::setApplicationName(QStringLiteral("daybook"));
    QApplication::setApplicationDisplayName(QStringLiteral("Daybook"));
    QApplication::setApplicationVersion(QStringLiteral(DAYBOOK_VERSION));

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
    if (!parser.parse(QApplication::arguments()) || !parser.positionalArguments().isEmpty()) {
        complain(parser.positionalArguments().isEmpty()
                     ? parser.errorText()
                     : QStringLiteral("there is nothing to do with '%1'; try --help")
                           .arg(parser.positionalArguments().first()));
        return exitUsage;
    }
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp(0);
    if (parser.isSet(QStringLiteral("version")))
        parser.showVersion();

    const DataFolder folder(parser.value(QStringLiteral("data")));
    Application application(folder);
    if (!application.instanceLink().listen(folder)) {
        tellInstance(folder, InstanceMessage::Raise);
        return 0;
    }
    if (const auto started = application.start(); !started)
        return explain(started.error());

    std::unique_ptr<GuidedTour> tour;
    if (parser.isSet(QStringLiteral("guided-tour"))) {
        tour = std::make_unique<GuidedTour>(application, parser.value(QStringLiteral("guided-tour")));
        QObject::connect(tour.get(), &GuidedTour::finished, &qt,
                         [](bool asExpected) { QApplication::exit(asExpected ? 0 : exitFailed); });
        QTimer::singleShot(0, tour.get(), &GuidedTour::start);
    }
    return QApplication::exec();
}
