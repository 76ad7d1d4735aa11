#include "models/domain/operation.h"

namespace daybook {

bool mayBecome(OperationState from, OperationState to)
{
    using enum OperationState;
    switch (from) {
    case Pending: return to == Sending || to == Superseded || to == Discarded || to == Quarantined;
    case Sending:
        return to == Sending || to == Done || to == RetryWaiting || to == Pending || to == PermanentFailed ||
               to == Conflict;
    case RetryWaiting:
        return to == Sending || to == Pending || to == Superseded || to == Discarded || to == Quarantined ||
               to == Done;
    case PermanentFailed: return to == Pending || to == Superseded || to == Discarded;
    case Conflict: return to == Superseded || to == Discarded;
    case Superseded:
    case Discarded: return to == Done;
    case Quarantined:
    case Done: return false;
    }
    return false;
}

QLatin1StringView name(OperationState state)
{
    using enum OperationState;
    switch (state) {
    case Pending: return QLatin1StringView("pending");
    case Sending: return QLatin1StringView("sending");
    case RetryWaiting: return QLatin1StringView("retry_waiting");
    case PermanentFailed: return QLatin1StringView("permanent_failed");
    case Conflict: return QLatin1StringView("conflict");
    case Quarantined: return QLatin1StringView("quarantined");
    case Done: return QLatin1StringView("done");
    case Superseded: return QLatin1StringView("superseded");
    case Discarded: return QLatin1StringView("discarded");
    }
    return {};
}

QLatin1StringView name(OperationType type)
{
    switch (type) {
    case OperationType::CreateEntry: return QLatin1StringView("CREATE_ENTRY");
    case OperationType::UpdateEntry: return QLatin1StringView("UPDATE_ENTRY");
    case OperationType::DeleteEntry: return QLatin1StringView("DELETE_ENTRY");
    }
    return {};
}

} // namespace daybook
