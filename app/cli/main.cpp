#include "app/cli/arguments.h"
#include "app/cli/localcommands.h"
#include "app/cli/networkcommands.h"
#include "app/cli/output.h"
#include "app/datafolder.h"
#include "models/domain/clock.h"
#include "models/domain/random.h"

#include <QCoreApplication>
#include <QTimer>

using namespace daybook;

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("daybook-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(DAYBOOK_VERSION));

    const auto arguments = readArguments(QCoreApplication::arguments());
    if (!arguments)
        return static_cast<int>(fail(arguments.error()));
    const DataFolder folder(arguments->dataFolder);
    SystemClock clock;
    SystemRandom random;
    if (!NetworkCommand::handles(arguments->command))
        return static_cast<int>(runLocalCommand(*arguments, folder, clock, random));

    const auto command = NetworkCommand::create(*arguments, folder, clock, random);
    QObject::connect(command.get(), &NetworkCommand::finished, &application,
                     [](ExitCode code) { QCoreApplication::exit(static_cast<int>(code)); });
    QTimer::singleShot(0, command.get(), &NetworkCommand::start);
    return QCoreApplication::exec();
}
