#pragma once

#include "models/domain/result.h"
#include "sync/server/service.h"

#include <QProcessEnvironment>
#include <QStringList>

namespace daybook {

/// What the operator asks for, put together from the command line, the environment and the configuration
/// file.
struct ServerOptions
{
    enum class Command { Serve, AddAccount, ChangePassword, ShowHelp, ShowVersion };

    Command command = Command::ShowHelp;
    ServiceOptions service;
    QString listenHost = QStringLiteral("127.0.0.1"); ///< an IP address
    quint16 listenPort = 8640;
    bool allowPlainHttp = false;
    QString username;    ///< of `account`
    QString displayName; ///< of `account add`
};

/// Reads \p arguments (program name first), `DAYBOOK_SERVER_*` of \p environment and the file that `--config`
/// names; the first of the three that says something wins. Every error is a mistake in what was written.
Result<ServerOptions> readServerOptions(const QStringList &arguments, const QProcessEnvironment &environment);

QString serverHelp();

} // namespace daybook
