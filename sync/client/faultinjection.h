#pragma once

#include "models/domain/random.h"
#include "models/domain/result.h"
#include "sync/client/transport.h"

#include <memory>

namespace daybook {

/// One fault of the network laboratory.
struct Fault
{
    enum class Kind {
        LoseRequest, ///< `lose-request`: it never reaches the server; the client sees no reply
        LoseReply,   ///< `lose-reply`: the server acts, its answer is lost
        Latency,     ///< `latency=MS`: the reply comes that much later
        Status,      ///< `status=CODE[,retry-after=S]`: this server's refusal instead of sending
        Html,        ///< `html`: a sign-in page with 200 instead of sending
    };

    Kind kind = Kind::LoseRequest;
    Milliseconds latency{};
    int status = 0;
    std::optional<std::chrono::seconds> retryAfter{};
    int times = -1; ///< how many requests it still hits; -1 for all

    /// Reads the text after `--fault`; `,times=N` limits how many requests are hit.
    static Result<Fault> fromText(const QString &text);

    bool operator==(const Fault &) const = default;
};

/// A transport that breaks what goes through it as told. Only requests on entries are hit, so that signing in
/// works while faults are on. A request meets every `latency` and the first of the other faults that is left.
/// **Thread:** as the transport it decorates.
class FaultyTransport final : public Transport
{
public:
    FaultyTransport(std::unique_ptr<Transport> transport, QList<Fault> faults);

    [[nodiscard]] std::unique_ptr<TransportCall> send(const TransportRequest &request,
                                                      Handler handler) override;
    /// Replaces all, for requests from now on; empty for none.
    void setFaults(const QList<Fault> &faults);

private:
    Milliseconds takeLatency();
    std::optional<Fault> takeFault();

    std::unique_ptr<Transport> m_transport;
    QList<Fault> m_faults;
};

} // namespace daybook
