#include "sync/client/faultinjection.h"

#include "sync/protocol/endpoints.h"
#include "sync/protocol/problem.h"

#include <QDeadlineTimer>
#include <QTimer>

#include <algorithm>

namespace daybook {

namespace {

constexpr int longestLatencyMilliseconds = 600'000;
constexpr int longestRetryAfterSeconds = 86'400;
constexpr int mostTimes = 1'000'000;

struct StatusCode
{
    int status;
    ProblemCode code;
};

/// What stands for a status. 412 is not here: nobody but the server knows the version it would have to name.
constexpr StatusCode ownCodes[] = {
    {400, ProblemCode::MalformedRequest},
    {401, ProblemCode::TokenExpired},
    {403, ProblemCode::Forbidden},
    {404, ProblemCode::EntryNotFound},
    {408, ProblemCode::RequestTimeout},
    {409, ProblemCode::IdempotencyKeyReused},
    {410, ProblemCode::EntryDeleted},
    {413, ProblemCode::PayloadTooLarge},
    {415, ProblemCode::UnsupportedMediaType},
    {422, ProblemCode::ValidationFailed},
    {428, ProblemCode::PreconditionRequired},
    {429, ProblemCode::RateLimited},
    {500, ProblemCode::InternalError},
    {503, ProblemCode::StorageUnavailable},
};
/// Statuses this server never has; a gateway before it does.
constexpr int gatewayStatuses[] = {425, 502, 504};

std::optional<ProblemCode> ownCode(const Fault &fault)
{
    if (fault.status == 409 && fault.retryAfter)
        return ProblemCode::OperationInProgress;
    const auto found = std::find_if(std::begin(ownCodes), std::end(ownCodes),
                                    [&](const StatusCode &known) { return known.status == fault.status; });
    return found == std::end(ownCodes) ? std::nullopt : std::optional(found->code);
}

bool isGatewayStatus(int status)
{
    return std::find(std::begin(gatewayStatuses), std::end(gatewayStatuses), status) !=
           std::end(gatewayStatuses);
}

Error invalid(const QString &detail) { return {ErrorKind::InvalidArgument, detail}; }

Result<int> number(QStringView name, QStringView text, int from, int to)
{
    bool isNumber = false;
    const int value = text.toInt(&isNumber);
    if (!isNumber || value < from || value > to)
        return invalid(QStringLiteral("fault: %1 must be a number from %2 to %3, not \"%4\"")
                           .arg(name.toString())
                           .arg(from)
                           .arg(to)
                           .arg(text.toString()));
    return value;
}

struct Setting
{
    QStringView name;
    QStringView value; ///< null where there is no `=`
};

Setting setting(QStringView text)
{
    const qsizetype equals = text.indexOf(QLatin1Char('='));
    return equals < 0 ? Setting{text, {}} : Setting{text.left(equals), text.mid(equals + 1)};
}

Result<Fault> kindFromText(QStringView text)
{
    const auto [name, value] = setting(text);
    Fault fault;
    if (name == QLatin1StringView("latency")) {
        const Result<int> latency = number(name, value, 1, longestLatencyMilliseconds);
        if (!latency)
            return latency.error();
        fault.kind = Fault::Kind::Latency;
        fault.latency = Milliseconds(*latency);
        return fault;
    }
    if (name == QLatin1StringView("status")) {
        const Result<int> status = number(name, value, 400, 599);
        if (!status)
            return status.error();
        fault.kind = Fault::Kind::Status;
        fault.status = *status;
        if (!ownCode(fault) && !isGatewayStatus(fault.status))
            return invalid(
                QStringLiteral("fault: no refusal with status %1 can be made up").arg(fault.status));
        return fault;
    }
    if (text == QLatin1StringView("lose-request"))
        fault.kind = Fault::Kind::LoseRequest;
    else if (text == QLatin1StringView("lose-reply"))
        fault.kind = Fault::Kind::LoseReply;
    else if (text == QLatin1StringView("html"))
        fault.kind = Fault::Kind::Html;
    else
        return invalid(QStringLiteral("fault: \"%1\" is none of lose-request, lose-reply, latency=MS, "
                                      "status=CODE, html")
                           .arg(text.toString()));
    return fault;
}

Result<void> addOption(Fault &fault, QStringView text)
{
    const auto [name, value] = setting(text);
    if (name == QLatin1StringView("times") && fault.times < 0) {
        const Result<int> times = number(name, value, 1, mostTimes);
        if (!times)
            return times.error();
        fault.times = *times;
        return {};
    }
    if (name == QLatin1StringView("retry-after") && fault.kind == Fault::Kind::Status && !fault.retryAfter) {
        const Result<int> seconds = number(name, value, 0, longestRetryAfterSeconds);
        if (!seconds)
            return seconds.error();
        fault.retryAfter = std::chrono::seconds(*seconds);
        return {};
    }
    return invalid(
        QStringLiteral("fault: \"%1\" is unknown, given twice or does not belong here; times=N fits all "
                       "faults, retry-after=S fits status")
            .arg(text.toString()));
}

bool isOnEntries(const QUrl &url)
{
    const QString entries = QLatin1StringView(path::entries);
    return url.path() == entries || url.path().startsWith(entries + QLatin1Char('/'));
}

TransportReply lost()
{
    TransportReply reply;
    reply.errorText = QStringLiteral("lost on purpose");
    return reply;
}

TransportReply page(int status, const QByteArray &heading)
{
    TransportReply reply;
    reply.end = TransportReply::End::Complete;
    reply.status = status;
    reply.headers.emplaceBack("Content-Type", "text/html; charset=utf-8");
    reply.body = "<!doctype html><title>" + heading + "</title><h1>" + heading + "</h1>";
    return reply;
}

TransportReply refusal(const Fault &fault)
{
    TransportReply reply = page(fault.status, "Gateway");
    if (const std::optional<ProblemCode> code = ownCode(fault)) {
        Problem problem;
        problem.code = *code;
        problem.detail = QStringLiteral("refused on purpose");
        reply.headers = {{header::protocol, protocolVersion}, {"Content-Type", problemType}};
        reply.body = encodeProblem(problem);
    }
    if (fault.retryAfter)
        reply.headers.emplaceBack(header::retryAfter, QByteArray::number(qint64(fault.retryAfter->count())));
    return reply;
}

/// Whether it hits one more request.
bool take(Fault &fault)
{
    if (fault.times == 0)
        return false;
    if (fault.times > 0)
        --fault.times;
    return true;
}

/// An exchange that meets faults; it keeps the deadline of its request.
class FaultyCall final : public TransportCall
{
public:
    FaultyCall(Milliseconds latency, Milliseconds deadline, Transport::Handler handler)
        : m_latency(latency),
          m_deadline(deadline),
          m_handler(std::move(handler))
    {
    }

    void sendOver(Transport &transport, const TransportRequest &request, bool loseReply)
    {
        m_real = transport.send(request, [this, loseReply](const TransportReply &reply) {
            deliver(loseReply && reply.end == TransportReply::End::Complete ? lost() : reply);
        });
    }

    void deliver(TransportReply reply)
    {
        const auto left = std::chrono::duration_cast<Milliseconds>(m_deadline.remainingTimeAsDuration());
        if (m_latency > left)
            reply = lost();
        QTimer::singleShot(std::min(m_latency, left), &m_context, [this, reply] {
            const Transport::Handler handler = std::exchange(m_handler, nullptr);
            handler(reply); // may destroy this
        });
    }

private:
    Milliseconds m_latency;
    QDeadlineTimer m_deadline;
    Transport::Handler m_handler;
    std::unique_ptr<TransportCall> m_real;
    QObject m_context; ///< its end takes back what is not delivered yet
};

} // namespace

Result<Fault> Fault::fromText(const QString &text)
{
    const QList<QStringView> parts = QStringView(text).split(QLatin1Char(','));
    Result<Fault> fault = kindFromText(parts.first());
    for (qsizetype i = 1; fault && i < parts.size(); ++i) {
        if (const Result<void> added = addOption(*fault, parts[i]); !added)
            return added.error();
    }
    return fault;
}

FaultyTransport::FaultyTransport(std::unique_ptr<Transport> transport, QList<Fault> faults)
    : m_transport(std::move(transport)),
      m_faults(std::move(faults))
{
}

void FaultyTransport::setFaults(const QList<Fault> &faults) { m_faults = faults; }

std::unique_ptr<TransportCall> FaultyTransport::send(const TransportRequest &request, Handler handler)
{
    if (!isOnEntries(request.url))
        return m_transport->send(request, std::move(handler));

    auto call = std::make_unique<FaultyCall>(takeLatency(), request.deadline, std::move(handler));
    const std::optional<Fault> fault = takeFault();
    if (!fault || fault->kind == Fault::Kind::LoseReply)
        call->sendOver(*m_transport, request, fault.has_value());
    else if (fault->kind == Fault::Kind::Status)
        call->deliver(refusal(*fault));
    else if (fault->kind == Fault::Kind::Html)
        call->deliver(page(200, "Sign in to this network"));
    else
        call->deliver(lost());
    return call;
}

Milliseconds FaultyTransport::takeLatency()
{
    Milliseconds sum{};
    for (Fault &fault : m_faults) {
        if (fault.kind == Fault::Kind::Latency && take(fault))
            sum += fault.latency;
    }
    return sum;
}

std::optional<Fault> FaultyTransport::takeFault()
{
    for (Fault &fault : m_faults) {
        if (fault.kind != Fault::Kind::Latency && take(fault))
            return fault;
    }
    return std::nullopt;
}

} // namespace daybook
