#include "sync/server/router.h"

#include "sync/protocol/endpoints.h"
#include "sync/server/reply.h"

#include <array>

namespace daybook {
namespace {

struct Row
{
    const char *method;
    const char *path;
    bool withEntryId; ///< followed by `/` and the id
    Endpoint endpoint;
};

constexpr std::array rows = {
    Row{"POST", path::accounts, false, Endpoint::SignUp},
    Row{"POST", path::sessions, false, Endpoint::SignIn},
    Row{"POST", path::sessionRefresh, false, Endpoint::Refresh},
    Row{"DELETE", path::currentSession, false, Endpoint::SignOut},
    Row{"POST", path::entries, false, Endpoint::CreateEntry},
    Row{"GET", path::entries, true, Endpoint::ReadEntry},
    Row{"PUT", path::entries, true, Endpoint::UpdateEntry},
    Row{"DELETE", path::entries, true, Endpoint::DeleteEntry},
    Row{"GET", path::receipts, false, Endpoint::ReadReceipt},
    Row{"GET", path::config, false, Endpoint::ReadConfig},
    Row{"GET", path::live, false, Endpoint::Live},
    Row{"GET", path::ready, false, Endpoint::Ready},
};

/// The id behind `/v1/entries/`; null for any other path.
ClientEntryId entryIdOf(const QByteArray &path)
{
    const QByteArray folder = QByteArray(path::entries) + '/';
    if (!path.startsWith(folder))
        return {};
    return ClientEntryId::fromString(QString::fromLatin1(path.mid(folder.size()))).value_or(ClientEntryId());
}

} // namespace

std::variant<Route, ServerReply> route(const ServerRequest &request)
{
    const QByteArray path = request.target.split('?').first();
    const ClientEntryId entryId = entryIdOf(path);
    QByteArrayList allowed;
    for (const Row &row : rows) {
        if (row.withEntryId ? entryId.isNull() : path != row.path)
            continue;
        if (request.method == row.method)
            return Route{row.endpoint, entryId};
        allowed.append(row.method);
    }
    if (allowed.isEmpty())
        return problemReply({ProblemCode::NotFound, QStringLiteral("There is nothing at this path.")});
    ServerReply reply = problemReply(
        {ProblemCode::MethodNotAllowed, QStringLiteral("The Allow header says what can be done here.")});
    reply.headers.emplaceBack("Allow", allowed.join(", "));
    return reply;
}

} // namespace daybook
