#include "sync/client/signin.h"

#include "models/domain/logging.h"
#include "sync/client/networktransport.h"
#include "sync/client/requestbuilder.h"
#include "sync/client/resultclassifier.h"
#include "sync/protocol/messages.h"

#include <QSysInfo>

namespace daybook {

namespace {

constexpr qsizetype maximumDeviceName = 64;

/// Scheme, host and port as they stand in `Account::serverOrigin`: one spelling for one server.
Result<QString> canonicalOrigin(const QString &typed)
{
    const QUrl url(typed.trimmed(), QUrl::StrictMode);
    const bool isHttps = url.scheme() == QLatin1StringView("https");
    const bool isHttp = url.scheme() == QLatin1StringView("http");
    const bool isBare = url.userInfo().isEmpty() && !url.hasQuery() && !url.hasFragment() &&
                        (url.path().isEmpty() || url.path() == QLatin1StringView("/"));
    if (!url.isValid() || !(isHttps || isHttp) || url.host().isEmpty() || !isBare)
        return Error{ErrorKind::InvalidArgument,
                     QStringLiteral("the server must be an address such as https://example.org or "
                                    "http://127.0.0.1:8080")};
    QUrl origin;
    origin.setScheme(url.scheme());
    origin.setHost(url.host());
    if (url.port() != (isHttps ? 443 : 80))
        origin.setPort(url.port());
    return origin.toString(QUrl::FullyEncoded);
}

Account accountOf(const QString &origin, const AccountResource &resource)
{
    Account account;
    account.serverOrigin = origin;
    account.serverAccountId = resource.accountId;
    account.username = resource.username;
    account.displayName = resource.displayName;
    return account;
}

Error errorOf(const QString &origin, const TransportReply &reply)
{
    const Verdict verdict = classifyFailure(reply, SystemClock().now());
    const QString code = verdict.end.errorCode;
    switch (verdict.kind) {
    case Verdict::Kind::SessionExpired: return {ErrorKind::Credentials, verdict.end.errorDetail, code};
    case Verdict::Kind::Refused: return {ErrorKind::Refused, verdict.end.errorDetail, code};
    default:
        return {ErrorKind::Network,
                QStringLiteral("%1 gives no usable answer: %2").arg(origin, verdict.end.errorDetail), code};
    }
}

bool isOwnSuccess(const TransportReply &reply)
{
    return reply.end == TransportReply::End::Complete && reply.status >= 200 && reply.status < 300 &&
           speaksProtocol(reply);
}

} // namespace

struct SignIn::Private
{
    std::unique_ptr<Transport> transport;
    std::unique_ptr<TransportCall> call;
};

SignIn::SignIn(QList<Fault> faults, QObject *parent)
    : SignIn(std::make_unique<FaultyTransport>(std::make_unique<NetworkTransport>(), std::move(faults)),
             parent)
{
}

SignIn::SignIn(std::unique_ptr<Transport> transport, QObject *parent)
    : QObject(parent),
      d(new Private{std::move(transport), nullptr})
{
}

SignIn::~SignIn() = default;

void SignIn::signUp(const QString &serverOrigin, const QString &username, const QString &password,
                    const QString &displayName)
{
    const Result<QString> origin = canonicalOrigin(serverOrigin);
    if (!origin)
        return failLater(origin.error());
    d->call = d->transport->send(signUpRequest(*origin, username, password, displayName),
                                 [this, origin = *origin](const TransportReply &reply) {
                                     const auto account =
                                         isOwnSuccess(reply) ? decodeAccount(reply.body) : std::nullopt;
                                     if (account)
                                         Q_EMIT signedUp(accountOf(origin, *account));
                                     else
                                         Q_EMIT failed(errorOf(origin, reply));
                                 });
}

void SignIn::signIn(const QString &serverOrigin, const QString &username, const QString &password)
{
    const Result<QString> origin = canonicalOrigin(serverOrigin);
    if (!origin)
        return failLater(origin.error());
    const QString device = QSysInfo::machineHostName().left(maximumDeviceName);
    d->call = d->transport->send(signInRequest(*origin, username, password, device),
                                 [this, origin = *origin](const TransportReply &reply) {
                                     const auto session =
                                         isOwnSuccess(reply) ? decodeSession(reply.body) : std::nullopt;
                                     if (session)
                                         Q_EMIT signedIn({accountOf(origin, session->account),
                                                          {session->accessToken, session->refreshToken}});
                                     else
                                         Q_EMIT failed(errorOf(origin, reply));
                                 });
}

void SignIn::cancel() { d->call.reset(); }

void SignIn::signOut(const QString &serverOrigin, const QString &accessToken)
{
    const Result<QString> origin = canonicalOrigin(serverOrigin);
    if (!origin)
        return failLater(origin.error());
    d->call = d->transport->send(
        signOutRequest(*origin, accessToken), [this, origin = *origin](const TransportReply &reply) {
            if (!isOwnSuccess(reply))
                qCInfo(lcSync) << "signing out was not confirmed:" << errorOf(origin, reply).detail;
            Q_EMIT signedOut();
        });
}

/// As an answer would come: from the event loop.
void SignIn::failLater(const Error &error)
{
    d->call.reset();
    QMetaObject::invokeMethod(
        this, [this, error] { Q_EMIT failed(error); }, Qt::QueuedConnection);
}

} // namespace daybook
