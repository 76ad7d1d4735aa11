#pragma once

#include "models/domain/operation.h"
#include "models/store/syncjournal.h"
#include "sync/client/transport.h"
#include "sync/protocol/problem.h"

#include <optional>

namespace daybook {

/// What the end of an exchange means for the operation, the account and the pass.
struct Verdict
{
    enum class Kind {
        Confirmed,       ///< the server has it; `server` is what it has
        DoneOnServer,    ///< a delete of what is gone already; `server` is the tombstone
        ReadEntry,       ///< executed long ago, the answer is gone: read the entry, then reconcile
        Conflict,        ///< the server's state is another; `server` is empty where it has no such entry
        Refused,         ///< for good: the person must change something
        NotExecuted,     ///< an operation before it failed: again when its turn comes
        InProgress,      ///< the first copy still runs: this operation waits for `retryAfter`
        AccountBlocked,  ///< the whole account waits for `retryAfter`, else for its backoff
        ServerError,     ///< this operation waits for its backoff
        SessionExpired,  ///< refresh the session, then again
        AccountMismatch, ///< the session is another account's: the account pauses
        NotReachable,    ///< nothing was sent: the pass ends, a probe follows
        Unknown,         ///< sent, no complete answer: this operation waits for its backoff
        Unexpected,      ///< not an answer of this server: as Unknown, and the pass ends
        Aborted,         ///< ended by this program: unknown, nobody's fault
    };

    Kind kind = Kind::Unknown;
    AttemptEnd end;                         ///< for the attempt's row
    std::optional<ServerState> server;      ///< Confirmed, DoneOnServer, Conflict
    std::optional<Milliseconds> retryAfter; ///< more than zero, at most 24 h; no jitter in it yet
};

/// The table "What a result means" for the reply to an operation on an entry. Only an answer of this server
/// is believed, success or refusal.
Verdict classify(const Operation &operation, const TransportReply &reply, Instant now);

/// The same for the reading that follows Verdict::Kind::ReadEntry (readEntryRequest()): Confirmed with what
/// the server has now, a tombstone where it has the entry no more, or the reason why it is not known yet
/// (never Conflict or ReadEntry).
Verdict classifyRead(const Operation &operation, const TransportReply &reply, Instant now);

/// What a reply that is not the expected success means for any request. A 2xx is Unexpected here.
Verdict classifyFailure(const TransportReply &reply, Instant now);

/// The reply bears the Daybook-Protocol header, so its body is worth reading.
bool speaksProtocol(const TransportReply &reply);

} // namespace daybook
