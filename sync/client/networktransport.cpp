#include "sync/client/networktransport.h"

#include "sync/client/networkrequest.h"

#include <QPointer>

namespace daybook {

namespace {

class NetworkCall final : public TransportCall
{
public:
    explicit NetworkCall(NetworkRequest *request) : m_request(request) {}
    ~NetworkCall() override
    {
        if (m_request)
            m_request->abandon();
    }

private:
    QPointer<NetworkRequest> m_request;
};

} // namespace

std::unique_ptr<TransportCall> NetworkTransport::send(const TransportRequest &request, Handler handler)
{
    return std::make_unique<NetworkCall>(new NetworkRequest(m_network, request, std::move(handler)));
}

} // namespace daybook
