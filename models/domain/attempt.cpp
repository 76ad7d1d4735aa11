#include "models/domain/attempt.h"

namespace daybook {

QLatin1StringView name(AttemptTrigger trigger)
{
    switch (trigger) {
    case AttemptTrigger::NewOperation: return QLatin1StringView("new_operation");
    case AttemptTrigger::Scheduled: return QLatin1StringView("scheduled");
    case AttemptTrigger::Manual: return QLatin1StringView("manual");
    case AttemptTrigger::SignIn: return QLatin1StringView("sign_in");
    case AttemptTrigger::Reconnected: return QLatin1StringView("reconnected");
    case AttemptTrigger::LeaseRecovered: return QLatin1StringView("lease_recovered");
    case AttemptTrigger::Start: return QLatin1StringView("start");
    case AttemptTrigger::Nudge: return QLatin1StringView("nudge");
    }
    return {};
}

QLatin1StringView name(AttemptResult result)
{
    switch (result) {
    case AttemptResult::Confirmed: return QLatin1StringView("confirmed");
    case AttemptResult::NotReachable: return QLatin1StringView("not_reachable");
    case AttemptResult::Unknown: return QLatin1StringView("unknown");
    case AttemptResult::Unexpected: return QLatin1StringView("unexpected");
    case AttemptResult::NotNow: return QLatin1StringView("not_now");
    case AttemptResult::ServerError: return QLatin1StringView("server_error");
    case AttemptResult::SessionRefused: return QLatin1StringView("session_refused");
    case AttemptResult::Refused: return QLatin1StringView("refused");
    case AttemptResult::Conflict: return QLatin1StringView("conflict");
    case AttemptResult::Aborted: return QLatin1StringView("aborted");
    case AttemptResult::LeaseExpired: return QLatin1StringView("lease_expired");
    }
    return {};
}

} // namespace daybook
