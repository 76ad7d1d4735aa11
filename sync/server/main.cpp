#include "sync/server/http.h"
#include "sync/server/options.h"
#include "sync/server/passwordinput.h"
#include "sync/server/service.h"

#include <QCoreApplication>

#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sys/resource.h>

using namespace daybook;

namespace {

enum ExitStatus { Done = 0, Failed = 1, NotUnderstood = 2 };

constexpr std::chrono::seconds drainTime(30);

int fail(ExitStatus status, const Error &error)
{
    std::fprintf(stderr, "daybook-server: %s\n", qPrintable(error.detail));
    return status;
}

Result<std::unique_ptr<Service>> openService(const ServerOptions &options, const Clock &clock)
{
    auto service = Service::open(options.service, clock);
    if (service)
        return service;
    return Error{service.error().kind,
                 service.error().detail + QStringLiteral(" (The database is %1; --database names another.)")
                                              .arg(options.service.databasePath)};
}

/// Thousands of connections need as many file descriptors; the usual limit is 1024.
void allowManyConnections()
{
    rlimit files = {};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

/// Before any thread is made, so that all threads inherit it and the signals wait for sigwait().
sigset_t holdBackSignals()
{
    std::signal(SIGPIPE, SIG_IGN);
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);
    return ends;
}

int serve(const ServerOptions &options, const Clock &clock)
{
    const sigset_t ends = holdBackSignals();
    allowManyConnections();
    const auto service = openService(options, clock);
    if (!service)
        return fail(Failed, service.error());

    HttpOptions http{options.listenHost, options.listenPort, {}};
    const auto server = HttpServer::listen(http, [&service](ServerRequest request, ReplyHandler done) {
        (*service)->handle(std::move(request), std::move(done));
    });
    if (!server)
        return fail(Failed, server.error());
    std::printf("listening on %s\n", qPrintable((*server)->url()));
    std::fflush(stdout);

    int signal = 0;
    sigwait(&ends, &signal);
    pthread_sigmask(SIG_UNBLOCK, &ends, nullptr); // a second one ends the process at once
    (*service)->setNotReady();
    (*server)->drain(drainTime);
    return Done;
}

int writeAccount(const ServerOptions &options, const Clock &clock)
{
    const auto password = readPassword("Password: ");
    if (!password)
        return fail(Failed, password.error());
    const auto service = openService(options, clock);
    if (!service)
        return fail(Failed, service.error());
    const bool isNew = options.command == ServerOptions::Command::AddAccount;
    const auto written = isNew ? (*service)->addAccount(options.username, *password, options.displayName)
                               : (*service)->changePassword(options.username, *password);
    if (!written)
        return fail(Failed, written.error());
    std::printf(isNew ? "account %s added\n" : "password of %s changed\n", qPrintable(options.username));
    return Done;
}

} // namespace

int main(int argc, char *argv[])
{
    const QCoreApplication application(argc, argv); // Qt finds its database drivers through it
    const auto options =
        readServerOptions(QCoreApplication::arguments(), QProcessEnvironment::systemEnvironment());
    if (!options)
        return fail(NotUnderstood, {options.error().kind,
                                    options.error().detail + QStringLiteral(" (--help shows all options.)")});
    const SystemClock clock;
    switch (options->command) {
    case ServerOptions::Command::Serve: return serve(*options, clock);
    case ServerOptions::Command::AddAccount:
    case ServerOptions::Command::ChangePassword: return writeAccount(*options, clock);
    case ServerOptions::Command::ShowHelp: std::fputs(qPrintable(serverHelp()), stdout); return Done;
    case ServerOptions::Command::ShowVersion: std::puts("daybook-server " DAYBOOK_VERSION); return Done;
    }
    return Failed;
}
