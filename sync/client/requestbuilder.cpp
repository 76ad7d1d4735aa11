#include "sync/client/requestbuilder.h"

#include "sync/protocol/endpoints.h"
#include "sync/protocol/messages.h"

namespace daybook {

namespace {

TransportRequest request(const QByteArray &method, const QString &origin, const QByteArray &path)
{
    TransportRequest request;
    request.method = method;
    request.url = QUrl(origin + QString::fromLatin1(path));
    request.headers.emplaceBack("Accept", QByteArray(jsonType) + ", " + problemType);
    return request;
}

void setBody(TransportRequest &request, const QByteArray &json)
{
    request.headers.emplaceBack("Content-Type", jsonType);
    request.body = json;
}

void authorize(TransportRequest &request, const QString &accessToken)
{
    request.headers.emplaceBack("Authorization", "Bearer " + accessToken.toLatin1());
}

TransportRequest post(const QString &origin, const QByteArray &path, const QByteArray &json)
{
    TransportRequest post = request("POST", origin, path);
    setBody(post, json);
    return post;
}

QByteArray methodOf(OperationType type)
{
    switch (type) {
    case OperationType::CreateEntry: return "POST";
    case OperationType::UpdateEntry: return "PUT";
    case OperationType::DeleteEntry: return "DELETE";
    }
    return {};
}

} // namespace

QByteArray versionTag(qint64 version) { return '"' + QByteArray::number(version) + '"'; }

TransportRequest operationRequest(const Account &account, const Operation &operation,
                                  const QString &accessToken)
{
    const bool isCreate = operation.type == OperationType::CreateEntry;
    TransportRequest result = request(methodOf(operation.type), account.serverOrigin,
                                      isCreate ? QByteArray(path::entries) : path::entry(operation.entryId));
    authorize(result, accessToken);
    result.headers.emplaceBack(header::account, account.serverAccountId.toUtf8());
    result.headers.emplaceBack(header::idempotencyKey, operation.id.toString().toLatin1());
    if (operation.baseVersion && !isCreate)
        result.headers.emplaceBack("If-Match", versionTag(*operation.baseVersion));
    if (operation.type != OperationType::DeleteEntry)
        setBody(result, operation.payload);
    return result;
}

TransportRequest readEntryRequest(const Account &account, const ClientEntryId &id, const QString &accessToken)
{
    TransportRequest result = request("GET", account.serverOrigin, path::entry(id));
    authorize(result, accessToken);
    result.headers.emplaceBack(header::account, account.serverAccountId.toUtf8());
    return result;
}

TransportRequest receiptRequest(const Account &account, const OperationId &id, const QString &accessToken)
{
    TransportRequest result = request("GET", account.serverOrigin, path::receipts);
    authorize(result, accessToken);
    result.headers.emplaceBack(header::idempotencyKey, id.toString().toLatin1());
    return result;
}

TransportRequest signUpRequest(const QString &serverOrigin, const QString &username, const QString &password,
                               const QString &displayName)
{
    return post(serverOrigin, path::accounts, encodeSignUp({username, password, displayName}));
}

TransportRequest signInRequest(const QString &serverOrigin, const QString &username, const QString &password,
                               const QString &deviceName)
{
    return post(serverOrigin, path::sessions, encodeSignIn({username, password, deviceName}));
}

TransportRequest refreshRequest(const QString &serverOrigin, const QString &refreshToken)
{
    return post(serverOrigin, path::sessionRefresh, encodeRefresh(refreshToken));
}

TransportRequest signOutRequest(const QString &serverOrigin, const QString &accessToken)
{
    TransportRequest result = request("DELETE", serverOrigin, path::currentSession);
    authorize(result, accessToken);
    return result;
}

} // namespace daybook
