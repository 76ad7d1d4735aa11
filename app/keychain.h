#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>

namespace daybook {

/// What the system's keychain said; `ok` is false where there is none, it is locked, or it has no such
/// secret.
struct KeychainAnswer
{
    bool ok = false;
    QByteArray secret; ///< of a reading
};

using KeychainHandler = std::function<void(const KeychainAnswer &)>;

// Questions to the system's keychain, from any thread with an event loop. The answer comes there later,
// unless \p context is gone by then. QtKeychain's queue of jobs is one per process and not thread-safe: the
// jobs themselves always run in the application's thread, whose event loop must be running.
void readFromKeychain(QObject *context, const QString &key, const KeychainHandler &done);
void writeToKeychain(QObject *context, const QString &key, const QByteArray &secret,
                     const KeychainHandler &done);
void removeFromKeychain(QObject *context, const QString &key, const KeychainHandler &done);

} // namespace daybook
