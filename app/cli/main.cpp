#include "app/cli/arguments.h"
#include "app/cli/localcommands.h"
#include "app/cli/networkcommands.h"
#include "app/cli/output.h"
#include "app/datafolder.h"
#include "models/domain/clock.h"
#include "models/domain/random.h"

#include <QCoreApplication>
#include <QStringDecoder>
#include <QTimer>

using namespace daybook;

namespace {

/// What is not would be recorded as something else than was typed.
bool isUtf8(const char *argument)
{
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    [[maybe_unused]] const QString text = decoder.decode(QByteArrayView(argument));
    return !decoder.hasError();
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("daybook-cli"));
    QCoreApplication::setApplicationVersion(QStringLiteral(DAYBOOK_VERSION));

    for (int i = 1; i < argc; ++i) {
        if (!isUtf8(argv[i]))
            return static_cast<int>(
                fail({ErrorKind::InvalidArgument, QStringLiteral("argument %1 is not valid UTF-8").arg(i)}));
    }
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
