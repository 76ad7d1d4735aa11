#pragma once

#include "models/domain/account.h"
#include "models/domain/operation.h"
#include "sync/client/transport.h"

namespace daybook {

/// The entity tag of a version, such as `"3"` with its quotes: ETag of a reply, If-Match of a request.
QByteArray versionTag(qint64 version);

/// One attempt of an operation. Every attempt of one operation gives the same request but for the token.
TransportRequest operationRequest(const Account &account, const Operation &operation,
                                  const QString &accessToken);
/// `GET /v1/entries/{id}`.
TransportRequest readEntryRequest(const Account &account, const ClientEntryId &id,
                                  const QString &accessToken);
/// `GET /v1/receipts`: what became of the operation.
TransportRequest receiptRequest(const Account &account, const OperationId &id, const QString &accessToken);

TransportRequest signUpRequest(const QString &serverOrigin, const QString &username, const QString &password,
                               const QString &displayName);
TransportRequest signInRequest(const QString &serverOrigin, const QString &username, const QString &password,
                               const QString &deviceName);
TransportRequest refreshRequest(const QString &serverOrigin, const QString &refreshToken);
TransportRequest signOutRequest(const QString &serverOrigin, const QString &accessToken);

} // namespace daybook
