#include "sync/protocol/problem.h"

#include <QSet>
#include <QTest>

using namespace daybook;
using namespace Qt::StringLiterals;

namespace {

struct Row
{
    ProblemCode code;
    const char *name;
    int status;
    bool retryable;
};

/// The protocol's table once more, so that no code changes by accident.
constexpr Row rows[] = {
    {ProblemCode::IdempotencyKeyMissing, "IDEMPOTENCY_KEY_MISSING", 400, false},
    {ProblemCode::IdempotencyKeyInvalid, "IDEMPOTENCY_KEY_INVALID", 400, false},
    {ProblemCode::AccountHeaderMissing, "ACCOUNT_HEADER_MISSING", 400, false},
    {ProblemCode::MalformedRequest, "MALFORMED_REQUEST", 400, false},
    {ProblemCode::MalformedJson, "MALFORMED_JSON", 400, false},
    {ProblemCode::InvalidCursor, "INVALID_CURSOR", 400, false},
    {ProblemCode::Unauthenticated, "UNAUTHENTICATED", 401, false},
    {ProblemCode::TokenExpired, "TOKEN_EXPIRED", 401, false},
    {ProblemCode::InvalidCredentials, "INVALID_CREDENTIALS", 401, false},
    {ProblemCode::Forbidden, "FORBIDDEN", 403, false},
    {ProblemCode::AccountMismatch, "ACCOUNT_MISMATCH", 403, false},
    {ProblemCode::RegistrationClosed, "REGISTRATION_CLOSED", 403, false},
    {ProblemCode::EntryNotFound, "ENTRY_NOT_FOUND", 404, false},
    {ProblemCode::OperationUnknown, "OPERATION_UNKNOWN", 404, false},
    {ProblemCode::NotFound, "NOT_FOUND", 404, false},
    {ProblemCode::MethodNotAllowed, "METHOD_NOT_ALLOWED", 405, false},
    {ProblemCode::RequestTimeout, "REQUEST_TIMEOUT", 408, true},
    {ProblemCode::IdempotencyKeyReused, "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD", 409, false},
    {ProblemCode::UsernameTaken, "USERNAME_TAKEN", 409, false},
    {ProblemCode::OperationInProgress, "OPERATION_IN_PROGRESS", 409, true},
    {ProblemCode::ClientEntryIdTaken, "CLIENT_ENTRY_ID_TAKEN", 409, false},
    {ProblemCode::EntryDeleted, "ENTRY_DELETED", 410, false},
    {ProblemCode::CursorExpired, "CURSOR_EXPIRED", 410, false},
    {ProblemCode::OperationResultExpired, "OPERATION_RESULT_EXPIRED", 410, false},
    {ProblemCode::VersionConflict, "VERSION_CONFLICT", 412, false},
    {ProblemCode::PayloadTooLarge, "PAYLOAD_TOO_LARGE", 413, false},
    {ProblemCode::UriTooLong, "URI_TOO_LONG", 414, false},
    {ProblemCode::UnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE", 415, false},
    {ProblemCode::HeadersTooLarge, "HEADERS_TOO_LARGE", 431, false},
    {ProblemCode::ValidationFailed, "VALIDATION_FAILED", 422, false},
    {ProblemCode::SchemaVersionUnsupported, "SCHEMA_VERSION_UNSUPPORTED", 422, false},
    {ProblemCode::DependencyFailed, "DEPENDENCY_FAILED", 424, true},
    {ProblemCode::PreconditionRequired, "PRECONDITION_REQUIRED", 428, false},
    {ProblemCode::RateLimited, "RATE_LIMITED", 429, true},
    {ProblemCode::InternalError, "INTERNAL_ERROR", 500, true},
    {ProblemCode::StorageUnavailable, "STORAGE_UNAVAILABLE", 503, true},
};

CurrentEntry liveEntry()
{
    return {u"e-1"_s,
            *ClientEntryId::fromString(u"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12"_s),
            4,
            false,
            {*DecimalValue::fromJsonNumber("120.5"), *RecordedAt::fromRfc3339("2026-01-13T09:10:00+09:00"),
             u"weight"_s, u"\"morning\"\n"_s}};
}

} // namespace

class TestProblem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyCodeIsAsAgreed_data();
    void everyCodeIsAsAgreed();
    void thereAreNoOtherCodes();
    void writesTheAgreedForm();
    void writesDeletedEntriesWithoutContent();
    void comesBackAsItWas_data();
    void comesBackAsItWas();
    void passesOverWhatItDoesNotKnow();
    void refusesWhatIsNoProblemOfOurs_data();
    void refusesWhatIsNoProblemOfOurs();
};

void TestProblem::everyCodeIsAsAgreed_data()
{
    QTest::addColumn<int>("index");
    for (int i = 0; i < static_cast<int>(std::size(rows)); ++i)
        QTest::newRow(rows[i].name) << i;
}

void TestProblem::everyCodeIsAsAgreed()
{
    QFETCH(int, index);
    const Row &row = rows[index];
    const ProblemInfo &fixed = info(row.code);
    QCOMPARE(fixed.code, row.code);
    QCOMPARE(fixed.name, QLatin1StringView(row.name));
    QCOMPARE(fixed.status, row.status);
    QCOMPARE(fixed.retryable, row.retryable);
    QVERIFY(!fixed.title.isEmpty());
    QCOMPARE(problemCodeFromName(QString::fromLatin1(row.name)), std::optional(row.code));

    const Problem problem{.code = row.code, .detail = u"why"_s};
    const QByteArray body = encodeProblem(problem);
    QVERIFY(body.startsWith(QByteArray("{\"type\":\"urn:daybook:problem:") + row.name + "\","));
    QVERIFY(body.contains(QByteArray("\"status\":") + QByteArray::number(row.status) + ','));
    QVERIFY(body.contains(QByteArray("\"code\":\"") + row.name + '"'));
    QVERIFY(body.contains(row.retryable ? "\"retryable\":true" : "\"retryable\":false"));
    QCOMPARE(decodeProblem(body, row.status), std::optional(problem));
}

void TestProblem::thereAreNoOtherCodes()
{
    QCOMPARE(std::size(rows), static_cast<size_t>(ProblemCode::StorageUnavailable) + 1);
    QSet<QLatin1StringView> names;
    for (const Row &row : rows)
        names.insert(info(row.code).name);
    QCOMPARE(static_cast<size_t>(names.size()), std::size(rows));
    QCOMPARE(problemCodeFromName(u"version_conflict"), std::nullopt);
    QCOMPARE(problemCodeFromName(u""), std::nullopt);
}

void TestProblem::writesTheAgreedForm()
{
    const Problem problem{
        .code = ProblemCode::VersionConflict, .detail = u"It is 4 now."_s, .current = liveEntry()};
    const QByteArray expected =
        R"({"type":"urn:daybook:problem:VERSION_CONFLICT","title":"The entry has another version",)"
        R"("status":412,"detail":"It is 4 now.","code":"VERSION_CONFLICT","retryable":false,)"
        R"("current":{"entryId":"e-1","clientEntryId":"4dd2eacd-6a86-4d08-a7ab-fd53a05b8c12",)"
        R"("version":4,"value":120.5,"recordedAt":"2026-01-13T09:10:00+09:00",)"
        R"("category":"weight","note":"\"morning\"\n","deleted":false}})";
    QCOMPARE(encodeProblem(problem), expected);
}

void TestProblem::writesDeletedEntriesWithoutContent()
{
    CurrentEntry current = liveEntry();
    current.deleted = true;
    const QByteArray body =
        encodeProblem({.code = ProblemCode::EntryDeleted, .detail = u"gone"_s, .current = current});
    const QByteArray end = R"(,"current":{"version":4,"deleted":true}})";
    QVERIFY(body.endsWith(end));
}

void TestProblem::comesBackAsItWas_data()
{
    QTest::addColumn<Problem>("problem");
    QTest::newRow("members") << validationFailed(
        {{u"/value"_s, u"is required"_s}, {u"/a~1b"_s, u"is not known"_s}});
    QTest::newRow("current") << Problem{.code = ProblemCode::ClientEntryIdTaken, .current = liveEntry()};
    QTest::newRow("tombstone") << Problem{.code = ProblemCode::EntryDeleted,
                                          .current = CurrentEntry{.version = 5, .deleted = true}};
    QTest::newRow("fields") << Problem{.code = ProblemCode::IdempotencyKeyReused,
                                       .differingFields = {u"value"_s, u"note"_s}};
    QTest::newRow("text") << Problem{.code = ProblemCode::InternalError,
                                     .detail = u"\u0001 \\ \" / \u2028 😀"_s};
}

void TestProblem::comesBackAsItWas()
{
    QFETCH(Problem, problem);
    QCOMPARE(decodeProblem(encodeProblem(problem), problem.status()), std::optional(problem));
}

void TestProblem::passesOverWhatItDoesNotKnow()
{
    const auto problem = decodeProblem(
        R"({"instance":"/x","code":"RATE_LIMITED","type":"urn:daybook:problem:RATE_LIMITED","status":429,)"
        R"("more":[{"a":[1e400]}],"current":null})",
        429);
    QCOMPARE(problem, std::optional(Problem{.code = ProblemCode::RateLimited}));
}

void TestProblem::refusesWhatIsNoProblemOfOurs_data()
{
    QTest::addColumn<QByteArray>("body");
    const auto row = [](const char *name, const QByteArray &body) { QTest::newRow(name) << body; };
    const QByteArray start =
        R"({"type":"urn:daybook:problem:VERSION_CONFLICT","code":"VERSION_CONFLICT","status":412)";
    row("nothing", "");
    row("HTML", "<html></html>");
    row("foreign JSON", R"({"error":"no"})");
    row("array", "[]");
    row("unknown code", R"({"type":"urn:daybook:problem:NEW","code":"NEW","status":412})");
    row("another's type", R"({"type":"about:blank","code":"VERSION_CONFLICT","status":412})");
    row("no type", R"({"code":"VERSION_CONFLICT","status":412})");
    row("no code", R"({"type":"urn:daybook:problem:VERSION_CONFLICT","status":412})");
    row("status of another code",
        R"({"type":"urn:daybook:problem:ENTRY_DELETED","code":"ENTRY_DELETED","status":412})");
    row("status in the body differs",
        R"({"type":"urn:daybook:problem:VERSION_CONFLICT","code":"VERSION_CONFLICT","status":400})");
    row("cut", start);
    row("status twice", start + R"(,"status":412})");
    row("detail is a number", start + R"(,"detail":1})");
    row("errors is an object", start + R"(,"errors":{}})");
    row("errors without detail", start + R"(,"errors":[{"pointer":"/a"}]})");
    row("fields are numbers", start + R"(,"differingFields":[1]})");
    row("current without version", start + R"(,"current":{"deleted":true}})");
    row("current without content", start + R"(,"current":{"version":4}})");
    row("current is a text", start + R"(,"current":"4"})");
}

void TestProblem::refusesWhatIsNoProblemOfOurs()
{
    QFETCH(QByteArray, body);
    QCOMPARE(decodeProblem(body, 412), std::nullopt);
}

QTEST_APPLESS_MAIN(TestProblem)
#include "tst_problem.moc"
