#include "sync/server/options.h"

#include "sync/server/http.h"
#include "sync/server/settings.h"

#include <QCommandLineParser>
#include <QDir>
#include <QFile>
#include <QMap>

namespace daybook {
namespace {

using Values = QMap<QString, QString>;

QString variableName(const char *setting)
{
    return QStringLiteral("DAYBOOK_SERVER_") +
           QString::fromLatin1(setting).toUpper().replace(QLatin1Char('-'), QLatin1Char('_'));
}

void describe(QCommandLineParser &parser)
{
    parser.setApplicationDescription(QStringLiteral(
        "Keeps the entries of Daybook's users and answers their apps.\n\n"
        "Each option may also stand in the environment (DAYBOOK_SERVER_LISTEN for --listen, and so on) or in "
        "the\n"
        "configuration file, as lines such as \"listen = 127.0.0.1:8640\". The command line wins over the\n"
        "environment, the environment over the file.\n\n"
        "Exit status: 0 done, 1 it did not work, 2 the command is not understood."));
    for (const Setting &setting : settings())
        parser.addOption({QString::fromLatin1(setting.name), QString::fromLatin1(setting.description),
                          QString::fromLatin1(setting.valueName)});
    parser.addOptions(
        {{QStringLiteral("config"), QStringLiteral("Configuration file."), QStringLiteral("FILE")},
         {QStringLiteral("username"), QStringLiteral("Whose account it is."), QStringLiteral("NAME")},
         {QStringLiteral("display-name"), QStringLiteral("How the app greets its user."),
          QStringLiteral("TEXT")},
         {{QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("Show this text.")},
         {{QStringLiteral("v"), QStringLiteral("version")}, QStringLiteral("Show the version.")}});
    parser.addPositionalArgument(
        QStringLiteral("command"),
        QStringLiteral("serve: answer apps until SIGTERM or SIGINT.\n"
                       "account add: make an account; its password is read from standard input.\n"
                       "account passwd: give an account the password read from standard input."),
        QStringLiteral("serve | account add | account passwd"));
}

Result<Values> readConfiguration(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return usageError(
            QStringLiteral("The configuration file %1 cannot be read: %2.").arg(path, file.errorString()));
    Values values;
    for (int number = 1; !file.atEnd(); ++number) {
        const QString line = QString::fromUtf8(file.readLine()).trimmed();
        if (line.isEmpty() || line.startsWith(QLatin1Char('#')))
            continue;
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        const QString name = line.left(equals).trimmed();
        if (equals < 0 || findSetting(name) == nullptr || values.contains(name))
            return usageError(
                QStringLiteral(
                    "Line %1 of %2 is not understood: write each option once, as \"name = value\", "
                    "with a name that --help lists.")
                    .arg(number)
                    .arg(path));
        values.insert(name, line.mid(equals + 1).trimmed());
    }
    return values;
}

QString defaultDatabase(const QProcessEnvironment &environment)
{
    QString dataHome = environment.value(QStringLiteral("XDG_DATA_HOME"));
    if (!QDir::isAbsolutePath(dataHome)) // the XDG rules: a relative one does not count
        dataHome =
            environment.value(QStringLiteral("HOME"), QDir::homePath()) + QStringLiteral("/.local/share");
    return dataHome + QStringLiteral("/daybook-server/server.sqlite");
}

Result<void> readCommand(ServerOptions &options, const QCommandLineParser &parser)
{
    using Command = ServerOptions::Command;
    const QString command = parser.positionalArguments().join(QLatin1Char(' '));
    if (command == QLatin1StringView("serve"))
        options.command = Command::Serve;
    else if (command == QLatin1StringView("account add"))
        options.command = Command::AddAccount;
    else if (command == QLatin1StringView("account passwd"))
        options.command = Command::ChangePassword;
    else
        return usageError((command.isEmpty() ? QStringLiteral("Say what to do: ")
                                             : QStringLiteral("\"%1\" is no command; use ").arg(command)) +
                          QStringLiteral("serve, account add or account passwd."));

    options.username = parser.value(QStringLiteral("username"));
    options.displayName = parser.value(QStringLiteral("display-name"));
    if (options.command != Command::Serve && options.username.isEmpty())
        return usageError(QStringLiteral("Whose account? Add --username NAME."));
    if (options.command == Command::Serve && !options.username.isEmpty())
        return usageError(
            QStringLiteral("--username belongs to account add and account passwd, not to serve."));
    if (options.command != Command::AddAccount && !options.displayName.isEmpty())
        return usageError(QStringLiteral("--display-name belongs to account add only."));
    return {};
}

Result<void> readSettings(ServerOptions &options, const QCommandLineParser &parser,
                          const QProcessEnvironment &environment)
{
    const QString config = parser.isSet(QStringLiteral("config")) ? parser.value(QStringLiteral("config"))
                                                                  : environment.value(variableName("config"));
    Values inFile;
    if (!config.isEmpty()) {
        auto values = readConfiguration(config);
        if (!values)
            return values.error();
        inFile = *values;
    }
    for (const Setting &setting : settings()) {
        const QString name = QString::fromLatin1(setting.name);
        const QString variable = variableName(setting.name);
        QString value = inFile.value(name);
        QString place = config + QStringLiteral(", ") + name;
        if (const QString inEnvironment = environment.value(variable); !inEnvironment.isEmpty()) {
            value = inEnvironment;
            place = variable;
        }
        if (parser.isSet(name)) {
            value = setting.valueName ? parser.value(name) : QStringLiteral("true");
            place = QStringLiteral("--") + name;
        } else if (value.isNull()) {
            continue;
        }
        if (const auto set = setting.set(options, value); !set)
            return usageError(place + QStringLiteral(": ") + set.error().detail);
    }
    return {};
}

Result<void> checkTogether(const ServerOptions &options)
{
    if (!options.allowPlainHttp && isLoopback(options.listenHost) == false)
        return usageError(
            QStringLiteral("--listen: other computers can reach %1, and plain HTTP would show them passwords "
                           "and entries: listen on 127.0.0.1 behind a proxy that speaks TLS, or add "
                           "--allow-plain-http where the network can be trusted.")
                .arg(options.listenHost));
    if (options.service.tombstoneRetention < options.service.responseRetention)
        return usageError(
            QStringLiteral("--tombstone-retention must not be shorter than --response-retention."));
    return {};
}

} // namespace

Result<ServerOptions> readServerOptions(const QStringList &arguments, const QProcessEnvironment &environment)
{
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(arguments))
        return usageError(parser.errorText());

    ServerOptions options;
    options.service.databasePath = defaultDatabase(environment);
    if (parser.isSet(QStringLiteral("help")))
        return options;
    if (parser.isSet(QStringLiteral("version"))) {
        options.command = ServerOptions::Command::ShowVersion;
        return options;
    }
    auto outcome = readCommand(options, parser);
    if (outcome)
        outcome = readSettings(options, parser, environment);
    if (outcome)
        outcome = checkTogether(options);
    return outcome ? Result<ServerOptions>(options) : outcome.error();
}

QString serverHelp()
{
    QCommandLineParser parser;
    describe(parser);
    return parser.helpText();
}

} // namespace daybook
