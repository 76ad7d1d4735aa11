#pragma once

#include "models/domain/entry.h"
#include "models/domain/operation.h"
#include "sync/protocol/problem.h"

#include <QByteArray>
#include <QString>

#include <optional>
#include <variant>

namespace daybook {

/// The only payload version there is so far (`schemaVersion` of a request body).
constexpr int currentPayloadVersion = 1;
/// JSON nested deeper is refused.
constexpr int maximumJsonDepth = 32;

/// What a strict reader makes of a body: the message, or the problem to answer with (400 or 422).
template<typename T>
using Decoded = std::variant<T, Problem>;

// --- Requests on entries
// -------------------------------------------------------------------------------------------

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

// --- Replies
// -------------------------------------------------------------------------------------------------------

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

// --- Accounts and sessions
// -----------------------------------------------------------------------------------------

struct AccountResource
{
    QString accountId;
    QString username;
    QString displayName;

    bool operator==(const AccountResource &) const = default;
};

struct SignUpRequest
{
    QString
        username; ///< 1 to 64 code points, no white space or control characters; compared case-insensitively
    QString password;    ///< 8 to 256 code points
    QString displayName; ///< 0 to 64 code points
};

struct SignInRequest
{
    QString username;
    QString password;
    QString deviceName; ///< 0 to 64 code points; for people who look through their sessions
};

/// The pair of tokens. Neither is ever logged.
struct SessionResource
{
    QString accessToken;
    std::chrono::seconds expiresIn{};
    QString refreshToken;
    AccountResource account;
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

// --- Configuration
// -------------------------------------------------------------------------------------------------

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
};

QByteArray encodeConfig(const ServerConfig &config);
std::optional<ServerConfig> decodeConfig(const QByteArray &body);

} // namespace daybook
