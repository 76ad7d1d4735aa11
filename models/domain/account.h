#pragma once

#include "models/domain/clock.h"
#include "models/domain/ids.h"

#include <QMetaType>
#include <QString>

#include <optional>

namespace daybook {

/// Bounds of a password, in code points.
constexpr int minimumPasswordCodePoints = 8;
constexpr int maximumPasswordCodePoints = 256;

/// An account as this computer knows it. The local-only account has no server: its origin is empty.
struct Account
{
    AccountId id;
    QString serverOrigin; ///< scheme, host and port, such as `https://example.org`; empty for the local-only
                          ///< account
    QString serverAccountId; ///< sent as Daybook-Account
    QString username;
    QString displayName;
    bool signedIn = false;

    bool isLocalOnly() const { return serverOrigin.isEmpty(); }
    bool operator==(const Account &) const = default;
};

/// The queue of one account in numbers.
struct QueueSummary
{
    qint64 pending = 0;
    qint64 sending = 0;
    qint64 retryWaiting = 0;
    qint64 permanentFailed = 0;
    qint64 conflict = 0;
    qint64 quarantined = 0;
    std::optional<Instant> oldestWaitingAt; ///< when the oldest operation that still has to be sent was made
    std::optional<Instant>
        nextAttemptAt; ///< the earliest end of a wait; empty when something is ready or nothing waits
    std::optional<Instant> blockedUntil;    ///< the server asked the whole account to wait
    std::optional<Instant> lastConfirmedAt; ///< the latest confirmation still on record

    qint64 waiting() const { return pending + sending + retryWaiting; }
    qint64 needAttention() const { return permanentFailed + quarantined; }
    qint64 unfinished() const { return waiting() + needAttention() + conflict; }
    bool operator==(const QueueSummary &) const = default;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::Account)
Q_DECLARE_METATYPE(daybook::QueueSummary)
