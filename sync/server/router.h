#pragma once

#include "models/domain/ids.h"
#include "sync/server/request.h"

#include <variant>

namespace daybook {

/// What this server can be asked.
enum class Endpoint {
    SignUp,
    SignIn,
    Refresh,
    SignOut,
    CreateEntry,
    ReadEntry,
    UpdateEntry,
    DeleteEntry,
    ReadReceipt,
    ReadConfig,
    Live,
    Ready,
};

struct Route
{
    Endpoint endpoint = Endpoint::Live;
    ClientEntryId entryId; ///< from the path; null where there is none
};

/// The endpoint that method and path name, or 404 or 405 (with Allow). The query is not looked at.
std::variant<Route, ServerReply> route(const ServerRequest &request);

} // namespace daybook
