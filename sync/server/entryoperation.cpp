#include "sync/server/entryoperation.h"

#include "sync/protocol/endpoints.h"
#include "sync/protocol/fingerprint.h"

#include <algorithm>

namespace daybook {
namespace {

constexpr int maximumKeyLength = 255;
constexpr int maximumVersionDigits = 18; // fits a qint64

Problem problem(ProblemCode code, const char *detail) { return {code, QString::fromLatin1(detail)}; }

bool isKeyCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && QByteArrayView("._~:+/=-").contains(c));
}

/// The text between the quotes, or the text itself where there are none.
QByteArray unquoted(const QByteArray &text)
{
    const bool quoted = text.size() >= 2 && text.startsWith('"') && text.endsWith('"');
    return quoted ? text.mid(1, text.size() - 2) : text;
}

/// `"3"`: one entity tag as this server makes them.
Decoded<qint64> readIfMatch(const ServerRequest &request)
{
    const QList<QByteArray> lines = request.headerLines("If-Match");
    if (lines.isEmpty())
        return problem(ProblemCode::PreconditionRequired,
                       "If-Match with the version that is to be replaced is needed.");
    const QByteArray digits = unquoted(lines.first());
    const bool canonical = lines.size() == 1 && digits.size() + 2 == lines.first().size() &&
                           digits.size() <= maximumVersionDigits &&
                           QByteArray::number(digits.toLongLong()) == digits;
    if (!canonical || digits.startsWith('-'))
        return problem(ProblemCode::MalformedRequest,
                       "If-Match must be one version in quotes, such as \"3\".");
    return digits.toLongLong();
}

Decoded<EntryRequest> readBody(OperationType type, const ServerRequest &request)
{
    if (type == OperationType::DeleteEntry) {
        if (!request.body.isEmpty())
            return problem(ProblemCode::MalformedRequest, "A DELETE has no body.");
        return EntryRequest{};
    }
    if (const auto refused = checkJsonContent(request))
        return *refused;
    return type == OperationType::CreateEntry ? decodeCreateEntry(request.body)
                                              : decodeUpdateEntry(request.body);
}

} // namespace

Decoded<EntryOperation> readEntryOperation(OperationType type, const ClientEntryId &pathId,
                                           const ServerRequest &request)
{
    const Decoded<QByteArray> key = readIdempotencyKey(request);
    if (const auto *refused = std::get_if<Problem>(&key))
        return *refused;
    const Decoded<EntryRequest> body = readBody(type, request);
    if (const auto *refused = std::get_if<Problem>(&body))
        return *refused;

    const auto &content = std::get<EntryRequest>(body);
    EntryOperation operation;
    operation.id = std::get<QByteArray>(key);
    operation.type = type;
    operation.entryId = type == OperationType::CreateEntry ? content.clientEntryId : pathId;
    operation.fields = content.fields;
    operation.fingerprint = fingerprint(type, operation.entryId,
                                        type == OperationType::DeleteEntry ? nullptr : &operation.fields);
    if (type != OperationType::CreateEntry)
        operation.expectedVersion = readIfMatch(request);
    return operation;
}

Decoded<QByteArray> readIdempotencyKey(const ServerRequest &request)
{
    const QList<QByteArray> lines = request.headerLines(header::idempotencyKey);
    if (lines.isEmpty())
        return problem(ProblemCode::IdempotencyKeyMissing, "An Idempotency-Key header is needed.");
    const QByteArray key = unquoted(lines.first());
    const bool valid = lines.size() == 1 && !key.isEmpty() && key.size() <= maximumKeyLength &&
                       std::all_of(key.begin(), key.end(), isKeyCharacter);
    if (!valid)
        return problem(
            ProblemCode::IdempotencyKeyInvalid,
            "One Idempotency-Key with 1 to 255 of the characters A-Z a-z 0-9 . _ ~ : + / = - is needed.");
    return key;
}

std::optional<Problem> checkJsonContent(const ServerRequest &request)
{
    const Problem refused =
        problem(ProblemCode::UnsupportedMediaType, "The content must be application/json in UTF-8.");
    const QList<QByteArray> lines = request.headerLines("Content-Type");
    if (lines.size() != 1)
        return refused;
    const QByteArrayList parts = lines.first().toLower().split(';');
    if (parts.first().trimmed() != jsonType)
        return refused;
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const QByteArrayList parameter = parts[i].trimmed().split('=');
        if (parameter.size() != 2 || parameter[0] != "charset" || unquoted(parameter[1]) != "utf-8")
            return refused;
    }
    return std::nullopt;
}

} // namespace daybook
