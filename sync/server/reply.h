#pragma once

#include "sync/protocol/problem.h"
#include "sync/server/request.h"

namespace daybook {

ServerReply jsonReply(int status, const QByteArray &body);
/// With the headers the code asks for: WWW-Authenticate, Retry-After.
ServerReply problemReply(const Problem &problem);

/// An entity tag of this server is the version in quotes.
QByteArray entityTag(qint64 version);
/// IMF-fixdate (RFC 9110).
QByteArray httpDate(Instant at);

} // namespace daybook
