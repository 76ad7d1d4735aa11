#include "sync/protocol/problem.h"

#include "sync/protocol/entrymembers.h"
#include "sync/protocol/jsonwriter.h"
#include "sync/protocol/memberreader.h"

#include <algorithm>
#include <array>

namespace daybook {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1StringView typePrefix("urn:daybook:problem:");

using enum ProblemCode;

/// In the order of ProblemCode.
constexpr auto problems = std::to_array<ProblemInfo>({
    {IdempotencyKeyMissing, "IDEMPOTENCY_KEY_MISSING"_L1, 400, "Idempotency-Key is missing"_L1, false},
    {IdempotencyKeyInvalid, "IDEMPOTENCY_KEY_INVALID"_L1, 400, "Idempotency-Key is not valid"_L1, false},
    {AccountHeaderMissing, "ACCOUNT_HEADER_MISSING"_L1, 400, "Daybook-Account is missing"_L1, false},
    {MalformedRequest, "MALFORMED_REQUEST"_L1, 400, "The request is malformed"_L1, false},
    {MalformedJson, "MALFORMED_JSON"_L1, 400, "The body is not JSON"_L1, false},
    {InvalidCursor, "INVALID_CURSOR"_L1, 400, "The cursor is not valid"_L1, false},
    {Unauthenticated, "UNAUTHENTICATED"_L1, 401, "Sign-in is required"_L1, false},
    {TokenExpired, "TOKEN_EXPIRED"_L1, 401, "The access token has expired"_L1, false},
    {InvalidCredentials, "INVALID_CREDENTIALS"_L1, 401, "User name or password is wrong"_L1, false},
    {Forbidden, "FORBIDDEN"_L1, 403, "Not allowed"_L1, false},
    {AccountMismatch, "ACCOUNT_MISMATCH"_L1, 403, "The operation belongs to another account"_L1, false},
    {RegistrationClosed, "REGISTRATION_CLOSED"_L1, 403, "Registration is closed"_L1, false},
    {EntryNotFound, "ENTRY_NOT_FOUND"_L1, 404, "There is no such entry"_L1, false},
    {OperationUnknown, "OPERATION_UNKNOWN"_L1, 404, "The operation is not known"_L1, false},
    {NotFound, "NOT_FOUND"_L1, 404, "There is nothing here"_L1, false},
    {MethodNotAllowed, "METHOD_NOT_ALLOWED"_L1, 405, "The method is not allowed here"_L1, false},
    {RequestTimeout, "REQUEST_TIMEOUT"_L1, 408, "The request did not arrive in time"_L1, true},
    {IdempotencyKeyReused, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD"_L1, 409,
     "The key was used for a different operation"_L1, false},
    {UsernameTaken, "USERNAME_TAKEN"_L1, 409, "The user name is taken"_L1, false},
    {OperationInProgress, "OPERATION_IN_PROGRESS"_L1, 409, "The operation is still running"_L1, true},
    {ClientEntryIdTaken, "CLIENT_ENTRY_ID_TAKEN"_L1, 409, "The entry exists with other content"_L1, false},
    {EntryDeleted, "ENTRY_DELETED"_L1, 410, "The entry is deleted"_L1, false},
    {CursorExpired, "CURSOR_EXPIRED"_L1, 410, "The cursor has expired"_L1, false},
    {OperationResultExpired, "OPERATION_RESULT_EXPIRED"_L1, 410,
     "The operation was done; its response is no longer kept"_L1, false},
    {VersionConflict, "VERSION_CONFLICT"_L1, 412, "The entry has another version"_L1, false},
    {PayloadTooLarge, "PAYLOAD_TOO_LARGE"_L1, 413, "The body is too large"_L1, false},
    {UriTooLong, "URI_TOO_LONG"_L1, 414, "The URI is too long"_L1, false},
    {UnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE"_L1, 415, "The body must be application/json"_L1, false},
    {HeadersTooLarge, "HEADERS_TOO_LARGE"_L1, 431, "The headers are too large"_L1, false},
    {ValidationFailed, "VALIDATION_FAILED"_L1, 422, "The content is not acceptable"_L1, false},
    {SchemaVersionUnsupported, "SCHEMA_VERSION_UNSUPPORTED"_L1, 422, "The schema version is not supported"_L1,
     false},
    {DependencyFailed, "DEPENDENCY_FAILED"_L1, 424, "An earlier operation on the entry failed"_L1, true},
    {PreconditionRequired, "PRECONDITION_REQUIRED"_L1, 428, "If-Match is required"_L1, false},
    {RateLimited, "RATE_LIMITED"_L1, 429, "Too many requests"_L1, true},
    {InternalError, "INTERNAL_ERROR"_L1, 500, "The server failed"_L1, true},
    {StorageUnavailable, "STORAGE_UNAVAILABLE"_L1, 503, "The server's storage is not available"_L1, true},
});

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < problems.size(); ++i)
        if (static_cast<std::size_t>(problems[i].code) != i)
            return false;
    return problems.back().code == StorageUnavailable;
}
static_assert(isInOrder());

QByteArray memberObject(const ProblemMember &member)
{
    return JsonWriter().text("pointer"_L1, member.pointer).text("detail"_L1, member.detail).object();
}

QByteArray currentObject(const CurrentEntry &current)
{
    JsonWriter writer;
    if (current.deleted)
        return writer.number("version"_L1, current.version).flag("deleted"_L1, true).object();
    writer.text("entryId"_L1, current.entryId).text("clientEntryId"_L1, current.clientEntryId.toString());
    writer.number("version"_L1, current.version);
    writeFields(writer, current.fields);
    return writer.flag("deleted"_L1, false).object();
}

CurrentEntry readCurrent(MemberReader &members)
{
    CurrentEntry current;
    current.version = members.integer("version"_L1, 1);
    current.deleted = members.has("deleted"_L1) && members.flag("deleted"_L1);
    if (current.deleted)
        return current;
    current.entryId = members.text("entryId"_L1);
    current.clientEntryId = members.entryId("clientEntryId"_L1);
    current.fields = readFields(members);
    return current;
}

QList<ProblemMember> readErrors(MemberReader &members, QLatin1StringView name)
{
    QList<ProblemMember> errors;
    for (const JsonValue &element : members.array(name)) {
        MemberReader error(element);
        errors.append({error.text("pointer"_L1), error.text("detail"_L1)});
        if (!error.ok())
            members.refuse(name, QStringLiteral("must hold pointers and details"));
    }
    return errors;
}

Problem readProblem(MemberReader &members, int status)
{
    Problem problem;
    const QString name = members.text("code"_L1);
    const auto code = problemCodeFromName(name);
    if (!code || members.text("type"_L1) != typePrefix + name)
        members.refuse("code"_L1, QStringLiteral("is not one of this protocol"));
    problem.code = code.value_or(InternalError);
    if (status != problem.status() || members.integer("status"_L1) != status)
        members.refuse("status"_L1, QStringLiteral("is not the status of this code"));
    problem.detail = members.optionalText("detail"_L1);
    if (members.has("errors"_L1))
        problem.members = readErrors(members, "errors"_L1);
    if (members.has("differingFields"_L1))
        problem.differingFields = members.texts("differingFields"_L1);
    if (const JsonValue *object = members.has("current"_L1) ? members.object("current"_L1) : nullptr) {
        MemberReader current(*object);
        problem.current = readCurrent(current);
        if (!current.ok())
            members.refuse("current"_L1, QStringLiteral("is not an entry"));
    }
    return problem;
}

} // namespace

const ProblemInfo &info(ProblemCode code) { return problems[static_cast<std::size_t>(code)]; }

std::optional<ProblemCode> problemCodeFromName(QStringView name)
{
    const auto row = std::find_if(problems.begin(), problems.end(),
                                  [name](const ProblemInfo &problem) { return problem.name == name; });
    return row == problems.end() ? std::nullopt : std::optional(row->code);
}

Problem validationFailed(const QList<ProblemMember> &members)
{
    return {.code = ValidationFailed,
            .detail = QStringLiteral("The content cannot be accepted; errors says which members and why."),
            .members = members};
}

QByteArray encodeProblem(const Problem &problem)
{
    const ProblemInfo &fixed = info(problem.code);
    JsonWriter writer;
    writer.text("type"_L1, typePrefix + fixed.name);
    writer.text("title"_L1, fixed.title);
    writer.number("status"_L1, fixed.status);
    writer.text("detail"_L1, problem.detail);
    writer.text("code"_L1, fixed.name);
    writer.flag("retryable"_L1, fixed.retryable);
    QList<QByteArray> elements;
    for (const ProblemMember &member : problem.members)
        elements.append(memberObject(member));
    if (!elements.isEmpty())
        writer.json("errors"_L1, jsonArray(elements));
    if (problem.current)
        writer.json("current"_L1, currentObject(*problem.current));
    elements.clear();
    for (const QString &field : problem.differingFields)
        elements.append(jsonString(field));
    if (!elements.isEmpty())
        writer.json("differingFields"_L1, jsonArray(elements));
    return writer.object();
}

std::optional<Problem> decodeProblem(const QByteArray &body, int status)
{
    return decodeReply(body, [status](MemberReader &members) { return readProblem(members, status); });
}

} // namespace daybook
