#pragma once

#include "sync/client/transport.h"

#include <QTest>

#include <algorithm>
#include <utility>
#include <vector>

namespace daybook {

/// A network that only keeps what it is given; the test answers by hand, in any order. Answering calls the
/// handler at once, as the event loop would.
class FakeTransport final : public Transport
{
public:
    [[nodiscard]] std::unique_ptr<TransportCall> send(const TransportRequest &request,
                                                      Handler handler) override
    {
        m_exchanges->push_back({request, std::move(handler)});
        return std::make_unique<Call>(m_exchanges, m_exchanges->size() - 1);
    }

    /// All requests ever sent, in order.
    size_t count() const { return m_exchanges->size(); }
    const TransportRequest &request(size_t index) const { return m_exchanges->at(index).request; }
    const TransportRequest &last() const { return m_exchanges->back().request; }
    /// Neither answered nor aborted yet.
    bool isOpen(size_t index) const { return m_exchanges->at(index).handler != nullptr; }
    size_t openCount() const
    {
        return static_cast<size_t>(std::count_if(m_exchanges->begin(), m_exchanges->end(),
                                                 [](const auto &e) { return e.handler != nullptr; }));
    }

    void answer(size_t index, const TransportReply &reply)
    {
        QVERIFY2(isOpen(index), "answered or aborted before");
        const Handler handler = std::exchange(m_exchanges->at(index).handler, nullptr);
        handler(reply);
    }
    void answerLast(const TransportReply &reply) { answer(count() - 1, reply); }

private:
    struct Exchange
    {
        TransportRequest request;
        Handler handler;
    };
    using Exchanges = std::vector<Exchange>;

    class Call final : public TransportCall
    {
    public:
        Call(std::shared_ptr<Exchanges> exchanges, size_t index)
            : m_exchanges(std::move(exchanges)),
              m_index(index)
        {
        }
        ~Call() override { m_exchanges->at(m_index).handler = nullptr; }

    private:
        std::shared_ptr<Exchanges> m_exchanges;
        size_t m_index;
    };

    std::shared_ptr<Exchanges> m_exchanges = std::make_shared<Exchanges>();
};

/// The header line of that name in a request; empty where there is none.
inline QByteArray headerOf(const TransportRequest &request, const char *name)
{
    for (const auto &[key, value] : request.headers) {
        if (key.compare(name, Qt::CaseInsensitive) == 0)
            return value;
    }
    return {};
}

/// A complete reply as a Daybook server gives it.
inline TransportReply ownReply(int status, const QByteArray &body = {},
                               QList<std::pair<QByteArray, QByteArray>> headers = {})
{
    TransportReply reply;
    reply.end = TransportReply::End::Complete;
    reply.status = status;
    reply.headers = std::move(headers);
    reply.headers.emplaceBack("Daybook-Protocol", "1");
    if (!body.isEmpty())
        reply.headers.emplaceBack("Content-Type",
                                  status < 300 ? "application/json" : "application/problem+json");
    reply.body = body;
    return reply;
}

/// A refusal as a Daybook server gives it.
inline TransportReply problemReply(int status, const char *code,
                                   QList<std::pair<QByteArray, QByteArray>> headers = {},
                                   const QByteArray &moreMembers = {})
{
    const QByteArray body = QByteArrayLiteral("{\"type\":\"urn:daybook:problem:") + code +
                            "\",\"title\":\"t\",\"status\":" + QByteArray::number(status) +
                            ",\"detail\":\"d\",\"code\":\"" + code + "\",\"retryable\":false" + moreMembers +
                            "}";
    return ownReply(status, body, std::move(headers));
}

/// A complete reply of anybody else.
inline TransportReply foreignReply(int status, const QByteArray &body,
                                   QList<std::pair<QByteArray, QByteArray>> headers = {})
{
    TransportReply reply;
    reply.end = TransportReply::End::Complete;
    reply.status = status;
    reply.headers = std::move(headers);
    reply.body = body;
    return reply;
}

} // namespace daybook
