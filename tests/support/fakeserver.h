#pragma once

#include "sync/protocol/endpoints.h"
#include "sync/protocol/messages.h"
#include "tests/support/faketransport.h"

#include <QHash>
#include <QList>

namespace daybook {

/// A server in memory, as far as a client can tell: creates are executed once per key and replayed
/// afterwards, tokens are checked and refreshed. What else it does, the test puts in front of it.
class FakeServer
{
public:
    QString accessToken = QStringLiteral("token-1"); ///< the only one it accepts
    bool refreshes = true;                           ///< else a refresh is refused

    TransportReply entries(const TransportRequest &request)
    {
        if (headerOf(request, "Authorization") != "Bearer " + accessToken.toLatin1())
            return problemReply(401, "TOKEN_EXPIRED");
        const QByteArray key = headerOf(request, header::idempotencyKey);
        if (const auto stored = m_executed.find(key); stored != m_executed.end())
            return stored->first == request.body
                       ? reply(stored->second, "true")
                       : problemReply(409, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD");
        const auto decoded = decodeCreateEntry(request.body);
        const auto *create = std::get_if<EntryRequest>(&decoded);
        if (!create)
            return problemReply(422, "VALIDATION_FAILED");
        EntryResource entry;
        entry.entryId = QStringLiteral("server-%1").arg(m_executed.size() + 1);
        entry.clientEntryId = create->clientEntryId;
        entry.version = 1;
        entry.fields = create->fields;
        const QByteArray body = encodeEntry(entry);
        m_executed.insert(key, {request.body, body});
        return reply(body, "false");
    }

    TransportReply refresh(const TransportRequest &)
    {
        ++m_refreshCount;
        if (!refreshes)
            return problemReply(401, "UNAUTHENTICATED");
        accessToken = QStringLiteral("token-%1").arg(m_refreshCount + 1);
        SessionResource session;
        session.accessToken = accessToken;
        session.expiresIn = std::chrono::seconds(3600);
        session.refreshToken = QStringLiteral("refresh-%1").arg(m_refreshCount + 1);
        session.account = {QStringLiteral("acc"), QStringLiteral("ann"), QStringLiteral("Ann")};
        return ownReply(200, encodeSession(session));
    }

    qsizetype executedCount() const { return m_executed.size(); }
    int refreshCount() const { return m_refreshCount; }

private:
    static TransportReply reply(const QByteArray &body, const QByteArray &replayed)
    {
        return ownReply(201, body, {{"ETag", "\"1\""}, {header::idempotentReplayed, replayed}});
    }

    QHash<QByteArray, std::pair<QByteArray, QByteArray>> m_executed; ///< key -> request and response body
    int m_refreshCount = 0;
};

inline TransportReply replyEnding(TransportReply::End end)
{
    TransportReply reply;
    reply.end = end;
    return reply;
}

} // namespace daybook
