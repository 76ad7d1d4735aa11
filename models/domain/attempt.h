#pragma once

#include "models/domain/clock.h"
#include "models/domain/ids.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace daybook {

/// What started an attempt. The numbers are stored: never renumber.
enum class AttemptTrigger {
    NewOperation = 0,
    Scheduled = 1, ///< a wait or a probe came due
    Manual = 2,    ///< Sync now or Retry now
    SignIn = 3,
    Reconnected = 4,    ///< the network came back, or the computer woke up
    LeaseRecovered = 5, ///< the lease of an earlier attempt ran out
    Start = 6,          ///< the program started
    Nudge = 7,          ///< another process added work
};

/// How an attempt ended. The numbers are stored: never renumber.
enum class AttemptResult {
    Confirmed = 0,      ///< the server has it
    NotReachable = 1,   ///< nothing was sent: no connection, DNS, TLS or proxy
    Unknown = 2,        ///< sent, no complete answer of this server
    Unexpected = 3,     ///< an answer that is not this server's (sign-in page, cut reply): just as unknown
    NotNow = 4,         ///< 408, 425, 429, 502, 503, 504, 424, Retry-After: later
    ServerError = 5,    ///< 500 and other 5xx
    SessionRefused = 6, ///< 401
    Refused = 7,        ///< permanent
    Conflict = 8,       ///< 409 CLIENT_ENTRY_ID_TAKEN, 410, 412
    Aborted = 9,        ///< the program quit, the account changed or the person works offline: unknown
    LeaseExpired = 10,  ///< closed by whoever took the lease over
};

/// The client's own words for what went wrong, beside the codes of the protocol.
namespace clientcode {
inline constexpr QLatin1StringView noReply{"NO_REPLY"}; ///< sent, no complete answer in time
inline constexpr QLatin1StringView unexpectedReply{
    "UNEXPECTED_REPLY"};                                          ///< an answer that is not this server's
inline constexpr QLatin1StringView notReachable{"NOT_REACHABLE"}; ///< nothing was sent
inline constexpr QLatin1StringView aborted{"ABORTED"};            ///< ended by this program while under way
} // namespace clientcode

/// One transmission of an operation.
struct Attempt
{
    OperationId operationId;
    int number = 0; ///< from 1
    AttemptTrigger trigger = AttemptTrigger::NewOperation;
    Instant startedAt;
    std::optional<Instant> finishedAt; ///< empty while under way
    std::optional<AttemptResult> result;
    int httpStatus = 0;    ///< 0 where no status line came
    QString errorCode;     ///< a protocol code, or the transport's word for it
    bool replayed = false; ///< the server answered with a stored response
    bool charged = false;  ///< counts for the backoff

    bool operator==(const Attempt &) const = default;
};

QLatin1StringView name(AttemptTrigger trigger);
QLatin1StringView name(AttemptResult result);

} // namespace daybook

Q_DECLARE_METATYPE(daybook::Attempt)
