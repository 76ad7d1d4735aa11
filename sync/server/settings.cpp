#include "sync/server/settings.h"

#include "sync/server/http.h"

#include <QRegularExpression>

namespace daybook {
namespace {

Result<void> setDatabase(ServerOptions &options, const QString &value)
{
    const QString scheme = QStringLiteral("sqlite://");
    if (value.startsWith(QStringLiteral("postgresql://")) || value.startsWith(QStringLiteral("postgres://")))
        return usageError(
            QStringLiteral("This version keeps its data in SQLite only: use sqlite:///folder/file."));
    if (!value.startsWith(scheme + QLatin1Char('/')) || value.endsWith(QLatin1Char('/')))
        return usageError(
            QStringLiteral("\"%1\" is no database: write it as sqlite:///folder/file.").arg(value));
    options.service.databasePath = value.mid(scheme.size());
    return {};
}

Result<void> setListen(ServerOptions &options, const QString &value)
{
    static const QRegularExpression shape(QStringLiteral(R"(^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$)"));
    const auto match = shape.match(value);
    QString host = match.captured(1) + match.captured(2);
    if (host == QLatin1StringView("localhost"))
        host = QStringLiteral("127.0.0.1");
    const uint port = match.captured(3).toUInt();
    if (!match.hasMatch() || port > 65535 || !isLoopback(host))
        return usageError(
            QStringLiteral("\"%1\" is no address to listen on: write an IP address and a port, such as "
                           "127.0.0.1:8640 or [::1]:8640.")
                .arg(value));
    options.listenHost = host;
    options.listenPort = static_cast<quint16>(port);
    return {};
}

Result<void> setRegistration(ServerOptions &options, const QString &value)
{
    options.service.registrationOpen = value == QLatin1StringView("open");
    if (options.service.registrationOpen || value == QLatin1StringView("closed"))
        return {};
    return usageError(
        QStringLiteral("\"%1\" is not how registration can be: write open or closed.").arg(value));
}

Result<void> setDuration(std::chrono::seconds &duration, const QString &value)
{
    static const QRegularExpression shape(QStringLiteral("^([1-9]\\d{0,4})([smhd])$"));
    const auto match = shape.match(value);
    if (!match.hasMatch())
        return usageError(
            QStringLiteral("\"%1\" is no length of time: write a number from 1 to 99999 and s, m, h "
                           "or d, such as 30d or 12h.")
                .arg(value));
    const int count = match.captured(1).toInt();
    switch (match.captured(2).at(0).toLatin1()) {
    case 's': duration = std::chrono::seconds(count); break;
    case 'm': duration = std::chrono::minutes(count); break;
    case 'h': duration = std::chrono::hours(count); break;
    default: duration = std::chrono::hours(24) * count;
    }
    return {};
}

Result<void> setResponseRetention(ServerOptions &options, const QString &value)
{
    return setDuration(options.service.responseRetention, value);
}

Result<void> setTombstoneRetention(ServerOptions &options, const QString &value)
{
    return setDuration(options.service.tombstoneRetention, value);
}

Result<void> setAllowPlainHttp(ServerOptions &options, const QString &value)
{
    options.allowPlainHttp = value == QLatin1StringView("true");
    if (options.allowPlainHttp || value == QLatin1StringView("false"))
        return {};
    return usageError(
        QStringLiteral("\"%1\" does not say whether plain HTTP is allowed: write true or false.").arg(value));
}

} // namespace

const std::vector<Setting> &settings()
{
    static const std::vector<Setting> all = {
        {"database", "sqlite:///PATH",
         "Where the data is; made when missing. Default: "
         "sqlite:///HOME/.local/share/daybook-server/server.sqlite.",
         setDatabase},
        {"listen", "HOST:PORT", "Where to listen; port 0 takes a free one. Default: 127.0.0.1:8640.",
         setListen},
        {"registration", "open|closed", "Whether anybody may make an account. Default: closed.",
         setRegistration},
        {"response-retention", "TIME",
         "How long a repeated request gets its first reply again, such as 12h. Default: 30d.",
         setResponseRetention},
        {"tombstone-retention", "TIME", "How long a repeated request is still recognised. Default: 400d.",
         setTombstoneRetention},
        {"allow-plain-http", nullptr, "Listen without encryption where other computers can reach it.",
         setAllowPlainHttp},
    };
    return all;
}

const Setting *findSetting(const QString &name)
{
    for (const Setting &setting : settings()) {
        if (name == QLatin1StringView(setting.name))
            return &setting;
    }
    return nullptr;
}

} // namespace daybook
