#pragma once

#include "models/domain/entry.h"
#include "models/domain/ids.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <variant>

namespace daybook {

/// Every code of the protocol; info() has what is fixed about each.
enum class ProblemCode {
    IdempotencyKeyMissing,
    IdempotencyKeyInvalid,
    AccountHeaderMissing,
    MalformedRequest,
    MalformedJson,
    InvalidCursor,
    Unauthenticated,
    TokenExpired,
    InvalidCredentials,
    Forbidden,
    AccountMismatch,
    RegistrationClosed,
    EntryNotFound,
    OperationUnknown,
    NotFound,
    MethodNotAllowed,
    RequestTimeout,
    IdempotencyKeyReused, ///< IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD
    UsernameTaken,
    OperationInProgress,
    ClientEntryIdTaken,
    EntryDeleted,
    CursorExpired,
    OperationResultExpired,
    VersionConflict,
    PayloadTooLarge,
    UriTooLong,
    UnsupportedMediaType,
    HeadersTooLarge,
    ValidationFailed,
    SchemaVersionUnsupported,
    DependencyFailed,
    PreconditionRequired,
    RateLimited,
    InternalError,
    StorageUnavailable,
};

/// What is fixed about a code.
struct ProblemInfo
{
    ProblemCode code;
    QLatin1StringView name; ///< as on the wire: `VERSION_CONFLICT`
    int status;             ///< HTTP status
    QLatin1StringView title;
    bool retryable; ///< the same request sent again later may be accepted
};

const ProblemInfo &info(ProblemCode code);
std::optional<ProblemCode> problemCodeFromName(QStringView name);

/// One member that is not acceptable (422).
struct ProblemMember
{
    QString pointer; ///< JSON Pointer (RFC 6901), such as `/value`
    QString detail;

    bool operator==(const ProblemMember &) const = default;
};

/// The entry as it is on the server now: `current` of 409, 410 and 412.
struct CurrentEntry
{
    QString entryId = {};
    ClientEntryId clientEntryId = {};
    qint64 version = 0;
    bool deleted = false;
    EntryFields fields = {}; ///< meaningless where deleted

    bool operator==(const CurrentEntry &) const = default;
};

/// An error reply of the server: RFC 9457 `application/problem+json`. All but the code may be left out of an
/// initialiser.
struct Problem
{
    ProblemCode code = ProblemCode::InternalError;
    QString detail = {};
    QList<ProblemMember> members = {};        ///< 422 only
    std::optional<CurrentEntry> current = {}; ///< same account only
    QStringList differingFields = {};         ///< reused key: names only

    int status() const { return info(code).status; }
    bool operator==(const Problem &) const = default;
};

/// What a strict reader makes of a body: the message, or the problem to answer with (400 or 422).
template<typename T>
using Decoded = std::variant<T, Problem>;

/// VALIDATION_FAILED with its members.
Problem validationFailed(const QList<ProblemMember> &members);

QByteArray encodeProblem(const Problem &problem);
/// Empty when the body is not a problem of this protocol (foreign JSON, unknown code, status that is not the
/// code's).
std::optional<Problem> decodeProblem(const QByteArray &body, int status);

} // namespace daybook
