#include "app/cli/arguments.h"

#include <QCommandLineParser>
#include <QUrl>

#include <map>

namespace daybook {

namespace {

struct Command
{
    int operands; ///< how many it takes
    const char *usage;
    QStringList options; ///< beside those that every command takes
};

const std::map<QString, Command> &commands()
{
    const auto o = [](std::initializer_list<const char *> names) {
        QStringList list;
        for (const char *name : names)
            list += QString::fromLatin1(name);
        return list;
    };
    static const std::map<QString, Command> table = {
        {QStringLiteral("sign-up"),
         {0, "--server URL --username NAME  (password from standard input)",
          o({"server", "username", "display-name", "keep-session-in-file"})}},
        {QStringLiteral("sign-in"),
         {0, "--server URL --username NAME  (password from standard input)",
          o({"server", "username", "keep-session-in-file"})}},
        {QStringLiteral("sign-out"), {0, "", {}}},
        {QStringLiteral("add"), {1, "VALUE", o({"at", "category", "note"})}},
        {QStringLiteral("edit"), {1, "ENTRY-ID", o({"value", "at", "category", "note"})}},
        {QStringLiteral("delete"), {1, "ENTRY-ID", {}}},
        {QStringLiteral("list"), {0, "", o({"show", "category", "search", "limit"})}},
        {QStringLiteral("show"), {1, "ENTRY-ID", {}}},
        {QStringLiteral("sync"), {0, "", o({"fault", "timeout"})}},
        {QStringLiteral("status"), {0, "", {}}},
        {QStringLiteral("verify"), {0, "", {}}},
        {QStringLiteral("metrics"), {0, "", {}}},
    };
    return table;
}

Error usage(const QString &detail) { return {ErrorKind::InvalidArgument, detail}; }

void describe(QCommandLineParser &parser)
{
    QString text =
        QStringLiteral("Daybook from the command line: records entries and syncs them.\n\nCommands:\n");
    for (const auto &[name, command] : commands())
        text += QStringLiteral("  %1 %2\n").arg(name, QString::fromLatin1(command.usage));
    text += QStringLiteral("\nExit status: 0 done; 1 could not be done; 2 wrong usage; 3 sync: something "
                           "still waits; 4 sync: something\n"
                           "needs attention; 5 sign in first; 6 verify: the store is damaged.");
    parser.setApplicationDescription(text);
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(QStringLiteral("command"), QStringLiteral("What to do."));
    const auto option = [&](const char *name, const char *description, const char *value = nullptr) {
        parser.addOption(QCommandLineOption(QString::fromLatin1(name), QString::fromLatin1(description),
                                            value ? QString::fromLatin1(value) : QString()));
    };
    option("data", "The data folder (default: the user's own).", "DIR");
    option("json", "Print JSON instead of text.");
    option("server", "The server's address, such as http://127.0.0.1:8640.", "URL");
    option("username", "The account's user name.", "NAME");
    option("display-name", "The name that people see.", "TEXT");
    option("keep-session-in-file",
           "Where the system has no keychain, keep the session in a file that only you can read.");
    option("value", "The new value.", "VALUE");
    option("at", "When, as RFC 3339 with an offset: 2026-01-13T09:10:00+09:00 (default: now).", "TIME");
    option("category", "The category, at most 64 characters.", "TEXT");
    option("note", "The note, at most 2000 characters.", "TEXT");
    option("show", "Which entries: all, unsynced, attention or conflicts.", "WHICH");
    option("search", "Part of the category or note.", "TEXT");
    option("limit", "At most so many entries (default 50).", "N");
    option("timeout", "sync: give up after so many seconds (default 60).", "SECONDS");
    option(
        "fault",
        "sync: break the network: lose-request, lose-reply, latency=MS, status=CODE[,retry-after=S] or html; "
        ",times=N hits only the first N requests. May be given several times.",
        "FAULT");
}

Result<int> positive(const QCommandLineParser &parser, const QString &name)
{
    bool ok = false;
    const int number = parser.value(name).toInt(&ok);
    if (!ok || number < 1)
        return usage(
            QStringLiteral("--%1 takes a whole number from 1, not '%2'").arg(name, parser.value(name)));
    return number;
}

Result<EntryFilter::Sync> syncFilter(const QString &text)
{
    using enum EntryFilter::Sync;
    for (const auto &[name, filter] :
         {std::pair("all", All), std::pair("unsynced", NotSynced), std::pair("attention", NeedsAttention),
          std::pair("conflicts", Conflicts)}) {
        if (text == QLatin1StringView(name))
            return filter;
    }
    return usage(QStringLiteral("--show takes all, unsynced, attention or conflicts, not '%1'").arg(text));
}

Result<DecimalValue> readValue(const QString &text)
{
    return DecimalValue::fromUserText(text, QLocale::c()); // scripts must not depend on the system's language
}

/// Fills what the fields of an entry are taken from.
Result<void> readFields(const QCommandLineParser &parser, Arguments &arguments)
{
    const bool isAdd = arguments.command == QLatin1String("add");
    if (isAdd || parser.isSet(QStringLiteral("value"))) {
        const QString text = isAdd ? arguments.operands.first() : parser.value(QStringLiteral("value"));
        const auto value = readValue(text);
        if (!value)
            return usage(QStringLiteral("'%1': %2").arg(text, value.error().detail));
        arguments.value = *value;
    }
    if (parser.isSet(QStringLiteral("at"))) {
        const auto at = RecordedAt::fromRfc3339(parser.value(QStringLiteral("at")).toStdString());
        if (!at)
            return usage(
                QStringLiteral("'%1': %2").arg(parser.value(QStringLiteral("at")), at.error().detail));
        arguments.recordedAt = *at;
    }
    if (parser.isSet(QStringLiteral("category")))
        arguments.category = parser.value(QStringLiteral("category"));
    if (parser.isSet(QStringLiteral("note")))
        arguments.note = parser.value(QStringLiteral("note"));
    return {};
}

Result<void> readServer(const QCommandLineParser &parser, Arguments &arguments)
{
    const QUrl url(parser.value(QStringLiteral("server")), QUrl::StrictMode);
    const bool http = url.scheme() == QLatin1String("http") || url.scheme() == QLatin1String("https");
    if (!url.isValid() || !http || url.host().isEmpty() ||
        (!url.path().isEmpty() && url.path() != QLatin1String("/")) || url.hasQuery() || url.hasFragment() ||
        !url.userInfo().isEmpty())
        return usage(QStringLiteral("--server takes scheme, host and port, such as http://127.0.0.1:8640"));
    arguments.serverOrigin = url.toString(QUrl::RemovePath);
    arguments.username = parser.value(QStringLiteral("username"));
    if (arguments.username.isEmpty())
        return usage(QStringLiteral("--username is missing"));
    arguments.displayName = parser.value(QStringLiteral("display-name"));
    return {};
}

Result<void> readRest(const QCommandLineParser &parser, Arguments &arguments)
{
    if (parser.isSet(QStringLiteral("show"))) {
        const auto filter = syncFilter(parser.value(QStringLiteral("show")));
        if (!filter)
            return filter.error();
        arguments.filter.sync = *filter;
    }
    arguments.filter.search = parser.value(QStringLiteral("search"));
    arguments.filter.category = arguments.category;
    if (parser.isSet(QStringLiteral("limit"))) {
        const auto limit = positive(parser, QStringLiteral("limit"));
        if (!limit)
            return limit.error();
        arguments.limit = *limit;
    }
    if (parser.isSet(QStringLiteral("timeout"))) {
        const auto timeout = positive(parser, QStringLiteral("timeout"));
        if (!timeout)
            return timeout.error();
        arguments.timeout = std::chrono::seconds(*timeout);
    }
    for (const QString &text : parser.values(QStringLiteral("fault"))) {
        const auto fault = Fault::fromText(text);
        if (!fault)
            return usage(fault.error().detail);
        arguments.faults.append(*fault);
    }
    return {};
}

/// An option that the command would ignore is a mistake worth telling.
Result<void> checkOptions(const QCommandLineParser &parser, const QString &name, const Command &command)
{
    for (const QString &option : parser.optionNames()) {
        if (option != QLatin1String("data") && option != QLatin1String("json") &&
            !command.options.contains(option))
            return usage(QStringLiteral("'%1' does not take --%2").arg(name, option));
    }
    return {};
}

/// A negative value is an operand, not a row of options: what looks like one and belongs to no option goes
/// behind `--`.
QStringList withNegativeOperands(const QStringList &commandLine)
{
    static const QStringList flags = {QStringLiteral("--json"), QStringLiteral("--keep-session-in-file")};
    QStringList words;
    QStringList negative;
    for (const QString &word : commandLine) {
        const bool looksNegative = word.size() > 1 && word[0] == QLatin1Char('-') &&
                                   (word[1].isDigit() || word[1] == QLatin1Char('.'));
        const QString before = words.isEmpty() ? QString() : words.last();
        const bool isOptionsValue = before.startsWith(QLatin1String("--")) &&
                                    !before.contains(QLatin1Char('=')) && !flags.contains(before);
        (looksNegative && !isOptionsValue ? negative : words) += word;
    }
    return negative.isEmpty() ? words : words << QStringLiteral("--") << negative;
}

} // namespace

Result<Arguments> readArguments(const QStringList &commandLine)
{
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(withNegativeOperands(commandLine)))
        return usage(parser.errorText());
    if (parser.isSet(QStringLiteral("help")))
        parser.showHelp(0);
    if (parser.isSet(QStringLiteral("version")))
        parser.showVersion();
    QStringList operands = parser.positionalArguments();
    if (operands.isEmpty())
        return usage(QStringLiteral("no command given; try --help"));
    Arguments arguments;
    arguments.command = operands.takeFirst();
    arguments.dataFolder = parser.value(QStringLiteral("data"));
    arguments.json = parser.isSet(QStringLiteral("json"));
    arguments.keepSessionInFile = parser.isSet(QStringLiteral("keep-session-in-file"));
    const auto command = commands().find(arguments.command);
    if (command == commands().end())
        return usage(QStringLiteral("there is no command '%1'; try --help").arg(arguments.command));
    if (const auto checked = checkOptions(parser, arguments.command, command->second); !checked)
        return checked.error();
    if (operands.size() != command->second.operands)
        return usage(QStringLiteral("usage: daybook-cli %1 %2")
                         .arg(arguments.command, QString::fromLatin1(command->second.usage)));
    arguments.operands = operands;
    if (const auto read = readFields(parser, arguments); !read)
        return read.error();
    if (command->second.options.contains(QLatin1String("server"))) {
        if (const auto read = readServer(parser, arguments); !read)
            return read.error();
    }
    if (const auto read = readRest(parser, arguments); !read)
        return read.error();
    return arguments;
}

} // namespace daybook
