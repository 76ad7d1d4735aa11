#pragma once

#include "sync/server/http.h"

#include <QThreadPool>
#include <QUrl>

#include <atomic>
#include <mutex>

namespace daybook {

/// A server whose handler notes what it is given and answers from another thread.
class EchoServer
{
public:
    explicit EchoServer(const HttpLimits &limits = {})
    {
        HttpOptions options;
        options.limits = limits;
        auto result = HttpServer::listen(options, [this](ServerRequest request, ReplyHandler done) {
            handle(std::move(request), std::move(done));
        });
        if (result)
            m_http = std::move(*result);
    }
    ~EchoServer()
    {
        release();
        m_threads.waitForDone();
    }

    HttpServer &http() { return *m_http; }
    QUrl url() const { return QUrl(m_http->url()); }
    void end() { m_http.reset(); }

    /// Method, target and body of each request, one a line.
    QList<QByteArray> seen() const
    {
        const std::lock_guard lock(m_mutex);
        return m_seen;
    }
    ServerRequest lastRequest() const
    {
        const std::lock_guard lock(m_mutex);
        return m_lastRequest;
    }
    int mostAtOnce() const { return m_mostAtOnce; }

    void answerWith(ServerReply reply)
    {
        const std::lock_guard lock(m_mutex);
        m_reply = std::move(reply);
    }
    /// Keeps replies back until release().
    void hold() { m_holding = true; }
    void release()
    {
        QList<std::function<void()>> held;
        {
            const std::lock_guard lock(m_mutex);
            m_holding = false;
            held.swap(m_held);
        }
        for (const auto &answer : held)
            answer();
    }

private:
    void handle(ServerRequest request, ReplyHandler done)
    {
        const std::lock_guard lock(m_mutex);
        m_mostAtOnce = std::max(m_mostAtOnce.load(), ++m_atOnce);
        m_seen.append((request.method + ' ' + request.target + ' ' + request.body).trimmed());
        m_lastRequest = request;
        m_kept.append(done);
        ServerReply reply = m_reply;
        if (reply.body.isNull() && reply.status == 200)
            reply.body = request.target;
        const auto answer = [this, reply, done = std::move(done)] {
            --m_atOnce;
            done(reply);
        };
        if (m_holding)
            m_held.append(answer);
        else
            m_threads.start(answer);
    }

    mutable std::mutex m_mutex;
    QList<QByteArray> m_seen;
    QList<std::function<void()>> m_held;
    ServerRequest m_lastRequest;
    QList<ReplyHandler> m_kept; // a handler may forget to forget them; no connection may depend on it
    ServerReply m_reply;
    std::atomic<bool> m_holding = false;
    std::atomic<int> m_atOnce = 0;
    std::atomic<int> m_mostAtOnce = 0;
    QThreadPool m_threads;
    std::unique_ptr<HttpServer> m_http;
};

} // namespace daybook
