#pragma once

namespace daybook {

/// The named places between two effects at which a test can end the process (`_exit`, nothing is flushed or
/// undone): `DAYBOOK_CRASH_AT=NAME` or `NAME:N` for the N-th passage. Built in only with the CMake option
/// DAYBOOK_CRASH_POINTS; otherwise a call is nothing.
enum class CrashPoint {
    EntryInserted,      ///< client, Save: the entry is written, its operation is not
    OperationInserted,  ///< client, Save: both are written, not committed
    SaveCommitted,      ///< client, Save: committed, nobody told
    LeaseCommitted,     ///< client: leased, nothing sent
    ReplyReceived,      ///< client: the reply is here, nothing of it is written
    ReconcileHalfDone,  ///< client: server state written, operation not done, not committed
    ReconcileCommitted, ///< client: reconciled, nobody told
    ServerClaimed,      ///< server: idempotency record claimed, entry not written
    ServerEntryWritten, ///< server: entry written, response not stored
    ServerBeforeCommit, ///< server: all written, not committed
    ServerCommitted,    ///< server: committed, reply not sent
};

constexpr int crashPointExitCode = 42;

#ifdef DAYBOOK_CRASH_POINTS
void crashPoint(CrashPoint point);
#else
inline void crashPoint(CrashPoint) {}
#endif

/// The point's name as DAYBOOK_CRASH_AT takes it, such as `entry-inserted`; null behind the last one.
const char *crashPointName(CrashPoint point);

} // namespace daybook
