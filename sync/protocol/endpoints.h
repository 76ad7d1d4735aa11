#pragma once

#include "models/domain/ids.h"

#include <QByteArray>

namespace daybook {

// Paths and header names of the protocol, version 1 (sync/protocol/protocol.md).
namespace path {
inline constexpr const char *entries = "/v1/entries";
inline constexpr const char *receipts = "/v1/receipts";
inline constexpr const char *config = "/v1/config";
inline constexpr const char *accounts = "/v1/accounts";
inline constexpr const char *sessions = "/v1/sessions";
inline constexpr const char *sessionRefresh = "/v1/sessions/refresh";
inline constexpr const char *currentSession = "/v1/sessions/current";
inline constexpr const char *live = "/livez";
inline constexpr const char *ready = "/readyz";

inline QByteArray entry(const ClientEntryId &id)
{
    return QByteArray(entries) + '/' + id.toString().toLatin1();
}
} // namespace path

namespace header {
inline constexpr const char *protocol = "Daybook-Protocol"; ///< on every reply of a Daybook server; value `1`
inline constexpr const char *account = "Daybook-Account";
inline constexpr const char *idempotencyKey = "Idempotency-Key";
inline constexpr const char *idempotentReplayed = "Idempotent-Replayed";
inline constexpr const char *idempotencyExpires = "Idempotency-Expires";
inline constexpr const char *retryAfter = "Retry-After";
} // namespace header

inline constexpr const char *protocolVersion = "1";
inline constexpr const char *jsonType = "application/json";
inline constexpr const char *problemType = "application/problem+json";

} // namespace daybook
