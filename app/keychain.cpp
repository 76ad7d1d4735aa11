#include "app/keychain.h"

#include <QCoreApplication>
#include <QThread>

#include <memory>

#include <qt6keychain/keychain.h>

namespace daybook {

namespace {

/// Lives in the application's thread and tells the thread that asked.
class KeychainRelay final : public QObject
{
    Q_OBJECT

public:
    KeychainRelay() { moveToThread(QCoreApplication::instance()->thread()); }

Q_SIGNALS:
    void answered(const daybook::KeychainAnswer &answer);
};

/// \p makeJob is called in the application's thread; \p read takes the secret out of the job that ended well.
template<typename MakeJob, typename Read>
void ask(QObject *context, const KeychainHandler &done, MakeJob makeJob, Read read)
{
    const auto relay = std::make_shared<KeychainRelay>();
    QObject::connect(relay.get(), &KeychainRelay::answered, context, done);
    const auto run = [relay, makeJob, read] {
        auto *job = makeJob();
        QObject::connect(job, &QKeychain::Job::finished, job, [relay, job, read] {
            const bool ok = job->error() == QKeychain::NoError;
            Q_EMIT relay->answered({ok, ok ? read(*job) : QByteArray()});
        });
        job->start();
    };
    QMetaObject::invokeMethod(QCoreApplication::instance(), run, Qt::QueuedConnection);
}

template<typename Job>
Job *jobFor(const QString &key)
{
    auto *job = new Job(QStringLiteral("daybook"));
    job->setKey(key);
    return job;
}

QByteArray nothing(const QKeychain::Job &) { return {}; }

} // namespace

void readFromKeychain(QObject *context, const QString &key, const KeychainHandler &done)
{
    ask(
        context, done, [key] { return jobFor<QKeychain::ReadPasswordJob>(key); },
        [](const QKeychain::ReadPasswordJob &job) { return job.binaryData(); });
}

void writeToKeychain(QObject *context, const QString &key, const QByteArray &secret,
                     const KeychainHandler &done)
{
    const auto makeJob = [key, secret] {
        auto *job = jobFor<QKeychain::WritePasswordJob>(key);
        job->setBinaryData(secret);
        return job;
    };
    ask(context, done, makeJob, nothing);
}

void removeFromKeychain(QObject *context, const QString &key, const KeychainHandler &done)
{
    ask(
        context, done, [key] { return jobFor<QKeychain::DeletePasswordJob>(key); }, nothing);
}

} // namespace daybook

#include "keychain.moc"
