#pragma once

#include "sync/protocol/messages.h"
#include "sync/server/service.h"
#include "tests/support/fakeclock.h"

#include <QTemporaryDir>

#include <future>

namespace daybook {

/// A service on a database in a folder of its own, asked without sockets.
class ServiceFixture
{
public:
    /// \p database: the bytes of an earlier one's database, to start from.
    explicit ServiceFixture(const QByteArray &database = {});
    ~ServiceFixture();

    /// Opens the service, on the database of an earlier one where there was one.
    void start();
    /// Ends the service; everything is in the one file then.
    void stop();
    QByteArray databaseBytes() const;

    /// Asks and waits for the answer.
    ServerReply ask(const ServerRequest &request);
    std::future<ServerReply> askAtOnce(const ServerRequest &request);
    /// The rows of the query as text: columns separated by blanks, rows by `; `.
    QString read(const QString &sql) const;
    void write(const QString &sql) const;

    Service &service() { return *m_service; }
    QString databasePath() const { return m_folder.filePath(QStringLiteral("server.sqlite")); }

    FakeClock clock;
    ServiceOptions options;

private:
    QTemporaryDir m_folder;
    std::unique_ptr<Service> m_service;
};

/// Somebody with an account and a session.
struct Person
{
    QByteArray accountId;
    QByteArray accessToken;
    QByteArray refreshToken;
};

ServerRequest jsonRequest(const QByteArray &method, const QByteArray &target, const QByteArray &body);
/// With the person's Authorization and Daybook-Account.
ServerRequest asked(ServerRequest request, const Person &person);
QByteArray headerOf(const ServerReply &reply, const char *name);
/// The code of a problem; empty for any other reply.
QString codeOf(const ServerReply &reply);
Person signIn(ServiceFixture &fixture, const QString &username, const QString &password);
/// Makes the account `username` with the password `a long secret` and signs in.
Person signUp(ServiceFixture &fixture, const QString &username);
Person personOf(const ServerReply &session);

} // namespace daybook
