#include "sync/client/networkrequest.h"

#include <QNetworkAccessManager>
#include <QNetworkRequest>

namespace daybook {

namespace {

using End = TransportReply::End;

QNetworkRequest networkRequest(const TransportRequest &request)
{
    QNetworkRequest result(request.url);
    for (const auto &[name, value] : request.headers)
        result.setRawHeader(name, value);
    result.setRawHeader("Accept-Encoding", "identity"); // a compressed reply would be another body and ETag
    result.setAttribute(QNetworkRequest::RedirectPolicyAttribute, QNetworkRequest::ManualRedirectPolicy);
    result.setAttribute(QNetworkRequest::Http2AllowedAttribute, false);
    result.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    result.setAttribute(QNetworkRequest::CacheSaveControlAttribute, false);
    result.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    result.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    return result;
}

QNetworkReply *start(QNetworkAccessManager &network, const TransportRequest &request)
{
    const QNetworkRequest networkReady = networkRequest(request);
    if (request.method == "GET")
        return network.get(networkReady);
    if (request.method == "POST")
        return network.post(networkReady, request.body);
    if (request.method == "PUT")
        return network.put(networkReady, request.body);
    if (request.method == "DELETE")
        return network.deleteResource(networkReady);
    return network.sendCustomRequest(networkReady, request.method, request.body);
}

/// The reply was read to its end; an HTTP status may still make it an error to Qt, which counts the refusal
/// of a proxy among the failed connections.
bool isComplete(QNetworkReply::NetworkError error, int status)
{
    if (error == QNetworkReply::ProxyAuthenticationRequiredError)
        return status == 407;
    return status != 0 && (error == QNetworkReply::NoError || error >= QNetworkReply::ContentAccessDenied);
}

} // namespace

NetworkRequest::NetworkRequest(QNetworkAccessManager &network, const TransportRequest &request,
                               Transport::Handler handler)
    : QObject(&network),
      m_handler(std::move(handler)),
      m_reply(start(network, request))
{
    m_reply->setParent(this);
    connect(m_reply, &QNetworkReply::requestSent, this, [this] { m_mayHaveLeft = true; });
    connect(m_reply, &QNetworkReply::uploadProgress, this,
            [this](qint64 sent, qint64) { m_mayHaveLeft = m_mayHaveLeft || sent > 0; });
    connect(m_reply, &QNetworkReply::readyRead, this, [this] {
        if (isOversized())
            refuseOversized();
    });
    connect(m_reply, &QNetworkReply::finished, this, &NetworkRequest::replyFinished);
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        TransportReply late; // without the head: what came until now says nothing
        late.end = failedEnd();
        late.errorText = QStringLiteral("no complete reply in time");
        finish(late);
    });
    m_deadline.start(request.deadline);
}

void NetworkRequest::abandon()
{
    m_handler = nullptr;
    finish({});
}

bool NetworkRequest::isOversized() const { return m_reply->bytesAvailable() > maximumReplyBytes; }

void NetworkRequest::refuseOversized()
{
    TransportReply oversized = head();
    oversized.errorText = QStringLiteral("the reply is over 1 MiB");
    finish(oversized);
}

TransportReply NetworkRequest::head() const
{
    TransportReply reply;
    reply.status = m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
    for (const auto &[name, value] : m_reply->rawHeaderPairs())
        reply.headers.emplaceBack(name, value);
    return reply;
}

/// Which error it was says nothing: an unreachable network is an unknown one to Qt, and a refused connection
/// may be the second of the same request.
End NetworkRequest::failedEnd() const { return m_mayHaveLeft ? End::NoReply : End::NotConnected; }

void NetworkRequest::replyFinished()
{
    if (isOversized())
        return refuseOversized();
    const QNetworkReply::NetworkError error = m_reply->error();
    TransportReply reply = head();
    if (error != QNetworkReply::NoError)
        reply.errorText = m_reply->errorString();
    if (isComplete(error, reply.status)) {
        reply.end = End::Complete;
        reply.body = m_reply->readAll();
    } else {
        reply.end = failedEnd();
    }
    finish(reply);
}

void NetworkRequest::finish(const TransportReply &reply)
{
    m_deadline.stop();
    m_reply->disconnect(this);
    m_reply->abort();
    deleteLater();
    if (const Transport::Handler handler = std::exchange(m_handler, nullptr))
        handler(reply);
}

} // namespace daybook
