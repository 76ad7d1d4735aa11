#include "models/domain/crashpoint.h"

#ifdef DAYBOOK_CRASH_POINTS
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#endif

namespace daybook {

const char *crashPointName(CrashPoint point)
{
    switch (point) {
    case CrashPoint::EntryInserted: return "entry-inserted";
    case CrashPoint::OperationInserted: return "operation-inserted";
    case CrashPoint::SaveCommitted: return "save-committed";
    case CrashPoint::LeaseCommitted: return "lease-committed";
    case CrashPoint::ReplyReceived: return "reply-received";
    case CrashPoint::ReconcileHalfDone: return "reconcile-half-done";
    case CrashPoint::ReconcileCommitted: return "reconcile-committed";
    case CrashPoint::ServerClaimed: return "server-claimed";
    case CrashPoint::ServerEntryWritten: return "server-entry-written";
    case CrashPoint::ServerBeforeCommit: return "server-before-commit";
    case CrashPoint::ServerCommitted: return "server-committed";
    }
    return nullptr;
}

#ifdef DAYBOOK_CRASH_POINTS
namespace {

struct Target
{
    std::string name;
    int passage = 1;
};

Target readTarget()
{
    const char *text = std::getenv("DAYBOOK_CRASH_AT");
    if (text == nullptr)
        return {};
    const char *colon = std::strchr(text, ':');
    if (colon == nullptr)
        return {text, 1};
    return {std::string(text, colon), std::atoi(colon + 1)};
}

} // namespace

void crashPoint(CrashPoint point)
{
    static const Target target = readTarget();
    static std::atomic<int> passages = 0; // only in builds that exist to be killed
    if (target.name == crashPointName(point) && ++passages == target.passage)
        _exit(crashPointExitCode);
}
#endif

} // namespace daybook
