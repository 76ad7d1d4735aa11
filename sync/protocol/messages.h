#pragma once

#include "models/domain/entry.h"
#include "models/domain/operation.h"
#include "sync/protocol/problem.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <chrono>
#include <optional>

namespace daybook {

/// The only payload version there is so far (`schemaVersion` of a request body).
constexpr int currentPayloadVersion = 1;
/// Bounds of what an account is made of beside its password, in code points.
constexpr int maximumUsernameCodePoints = 64;
constexpr int maximumDisplayNameCodePoints = 64;
constexpr int maximumDeviceNameCodePoints = 64;

/// Body of `POST /v1/entries` (clientEntryId given) or `PUT /v1/entries/{id}` (in the path). Two calls with
/// equal fields give equal bytes.
struct EntryRequest
{
    ClientEntryId clientEntryId; ///< null in an update
    EntryFields fields;

    bool operator==(const EntryRequest &) const = default;
};

QByteArray encodeCreateEntry(const ClientEntryId &id, const EntryFields &fields);
QByteArray encodeUpdateEntry(const EntryFields &fields);
/// Strict: RFC 8259, no duplicate or unknown members, exact numbers, limits of the fields. Absent or null
/// category and note are "".
Decoded<EntryRequest> decodeCreateEntry(const QByteArray &body);
Decoded<EntryRequest> decodeUpdateEntry(const QByteArray &body);

/// The entry in a reply.
struct EntryResource
{
    QString entryId;
    ClientEntryId clientEntryId;
    qint64 version = 0;
    EntryFields fields;
    Instant createdAt;
    Instant updatedAt;

    bool operator==(const EntryResource &) const = default;
};

/// The decoders of replies are strict about JSON and types, and tolerant of members they do not know (a newer
/// server). Empty: not such a message.
QByteArray encodeEntry(const EntryResource &entry);
std::optional<EntryResource> decodeEntry(const QByteArray &body);

/// What became of an operation: `GET /v1/receipts`.
struct Receipt
{
    int status = 0;
    OperationType operationType = OperationType::CreateEntry;
    ClientEntryId clientEntryId;
    qint64 version = 0;
    Instant completedAt;
    Instant responseExpiresAt;

    bool operator==(const Receipt &) const = default;
};

QByteArray encodeReceipt(const Receipt &receipt);
std::optional<Receipt> decodeReceipt(const QByteArray &body);

/// An account as its owner sees it.
struct AccountResource
{
    QString accountId;
    QString username;
    QString displayName;

    bool operator==(const AccountResource &) const = default;
};

/// Body of `POST /v1/accounts`; held to the rules of checkUsername() and checkNewPassword().
struct SignUpRequest
{
    QString username;
    QString password;
    QString displayName; ///< may be absent: ""

    bool operator==(const SignUpRequest &) const = default;
};

/// Body of `POST /v1/sessions`. Only the upper bounds hold here: a name or password that no account can have
/// is answered like any other wrong one.
struct SignInRequest
{
    QString username;
    QString password;
    QString deviceName; ///< for people who look through their sessions; may be absent: ""

    bool operator==(const SignInRequest &) const = default;
};

/// 1 to 64 code points without white space and control characters. Compared case-insensitively.
Result<void> checkUsername(const QString &username);
/// 8 to 256 code points.
Result<void> checkNewPassword(const QString &password);

/// The pair of tokens. Neither is ever logged.
struct SessionResource
{
    QString accessToken;
    std::chrono::seconds expiresIn{};
    QString refreshToken;
    AccountResource account;

    bool operator==(const SessionResource &) const = default;
};

QByteArray encodeAccount(const AccountResource &account);
std::optional<AccountResource> decodeAccount(const QByteArray &body);
QByteArray encodeSignUp(const SignUpRequest &request);
Decoded<SignUpRequest> decodeSignUp(const QByteArray &body);
QByteArray encodeSignIn(const SignInRequest &request);
Decoded<SignInRequest> decodeSignIn(const QByteArray &body);
QByteArray encodeRefresh(const QString &refreshToken);
Decoded<QString> decodeRefresh(const QByteArray &body);
QByteArray encodeSession(const SessionResource &session);
std::optional<SessionResource> decodeSession(const QByteArray &body);

/// `GET /v1/config`.
struct ServerConfig
{
    std::chrono::seconds responseRetention{};
    std::chrono::seconds tombstoneRetention{};
    qint64 maximumBodyBytes = 0;
    int maximumCategory = maximumCategoryCodePoints;
    int maximumNote = maximumNoteCodePoints;
    QList<int> schemaVersions;
    Instant serverTime;
    bool registrationOpen = false;

    bool operator==(const ServerConfig &) const = default;
};

QByteArray encodeConfig(const ServerConfig &config);
std::optional<ServerConfig> decodeConfig(const QByteArray &body);

} // namespace daybook
