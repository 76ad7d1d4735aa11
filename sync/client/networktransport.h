#pragma once

#include "sync/client/transport.h"

#include <QNetworkAccessManager>

namespace daybook {

/// The real network. Each lane (push, session, ...) has one of its own, since a manager runs six connections
/// per host. Plain HTTP/1.1: no redirects, cookies, cache or compressed replies.
class NetworkTransport final : public Transport
{
public:
    [[nodiscard]] std::unique_ptr<TransportCall> send(const TransportRequest &request,
                                                      Handler handler) override;

private:
    QNetworkAccessManager m_network;
};

} // namespace daybook
