#include "tests/server/servicefixture.h"

#include <QFile>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>
#include <QSqlRecord>

namespace daybook {
namespace {

/// Runs \p sql on a connection of its own.
QString run(const QString &path, const QString &sql)
{
    const QString name = QStringLiteral("fixture");
    QStringList lines;
    {
        QSqlDatabase database = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        database.setDatabaseName(path);
        if (!database.open())
            qFatal("%s", qUtf8Printable(database.lastError().text()));
        QSqlQuery query(database);
        if (!query.exec(sql))
            qFatal("%s", qUtf8Printable(query.lastError().text()));
        while (query.next()) {
            QStringList columns;
            for (int column = 0; column < query.record().count(); ++column)
                columns.append(query.value(column).toString());
            lines.append(columns.join(QLatin1Char(' ')));
        }
    }
    QSqlDatabase::removeDatabase(name);
    return lines.join(QStringLiteral("; "));
}

} // namespace

ServiceFixture::ServiceFixture(const QByteArray &database)
{
    QFile file(databasePath());
    if (!database.isEmpty() && (!file.open(QIODevice::WriteOnly) || file.write(database) != database.size()))
        qFatal("%s", qUtf8Printable(file.errorString()));
    options.databasePath = databasePath();
    options.registrationOpen = true;
}

ServiceFixture::~ServiceFixture() = default;

void ServiceFixture::start()
{
    auto opened = Service::open(options, clock);
    if (!opened)
        qFatal("%s", qUtf8Printable(opened.error().detail));
    m_service = std::move(opened).value();
}

void ServiceFixture::stop() { m_service.reset(); }

QByteArray ServiceFixture::databaseBytes() const
{
    QFile file(databasePath());
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s", qUtf8Printable(file.errorString()));
    return file.readAll();
}

ServerReply ServiceFixture::ask(const ServerRequest &request) { return askAtOnce(request).get(); }

std::future<ServerReply> ServiceFixture::askAtOnce(const ServerRequest &request)
{
    const auto answer = std::make_shared<std::promise<ServerReply>>();
    m_service->handle(request, [answer](ServerReply reply) { answer->set_value(std::move(reply)); });
    return answer->get_future();
}

QString ServiceFixture::read(const QString &sql) const { return run(databasePath(), sql); }

void ServiceFixture::write(const QString &sql) const { run(databasePath(), sql); }

ServerRequest jsonRequest(const QByteArray &method, const QByteArray &target, const QByteArray &body)
{
    ServerRequest request{method, target, {}, body, QStringLiteral("127.0.0.1")};
    if (!body.isEmpty())
        request.headers.emplaceBack("Content-Type", "application/json");
    return request;
}

ServerRequest asked(ServerRequest request, const Person &person)
{
    request.headers.emplaceBack("Authorization", "Bearer " + person.accessToken);
    request.headers.emplaceBack("Daybook-Account", person.accountId);
    return request;
}

QByteArray headerOf(const ServerReply &reply, const char *name)
{
    for (const auto &[lineName, value] : reply.headers) {
        if (lineName == name)
            return value;
    }
    return {};
}

QString codeOf(const ServerReply &reply)
{
    const auto problem = decodeProblem(reply.body, reply.status);
    return problem ? QString(info(problem->code).name) : QString();
}

Person signIn(ServiceFixture &fixture, const QString &username, const QString &password)
{
    return personOf(fixture.ask(jsonRequest("POST", "/v1/sessions", encodeSignIn({username, password, {}}))));
}

Person signUp(ServiceFixture &fixture, const QString &username)
{
    const QString password = QStringLiteral("a long secret");
    fixture.ask(jsonRequest("POST", "/v1/accounts", encodeSignUp({username, password, username})));
    return signIn(fixture, username, password);
}

Person personOf(const ServerReply &session)
{
    const auto resource = decodeSession(session.body);
    if (!resource)
        qFatal("No session: %d %s", session.status, session.body.constData());
    return {resource->account.accountId.toLatin1(), resource->accessToken.toLatin1(),
            resource->refreshToken.toLatin1()};
}

} // namespace daybook
