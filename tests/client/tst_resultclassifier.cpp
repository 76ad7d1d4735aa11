#include "sync/client/resultclassifier.h"
#include "sync/protocol/messages.h"
#include "tests/support/faketransport.h"

#include <QTest>

using namespace daybook;
using Kind = Verdict::Kind;
using Headers = QList<std::pair<QByteArray, QByteArray>>;

namespace {

constexpr OperationType create = OperationType::CreateEntry;
constexpr OperationType update = OperationType::UpdateEntry;
constexpr OperationType deletion = OperationType::DeleteEntry;

constexpr Instant now = fromEpochMilliseconds(1'768'291'200'000); // 2026-01-13T08:00:00Z
const ClientEntryId entryId = *ClientEntryId::fromString(u"11111111-1111-4111-8111-111111111111");
const ClientEntryId otherId = *ClientEntryId::fromString(u"22222222-2222-4222-8222-222222222222");

Operation operationOf(OperationType type)
{
    Operation operation;
    operation.type = type;
    operation.entryId = entryId;
    if (type != create)
        operation.baseVersion = 3;
    return operation;
}

QByteArray entryBody(const ClientEntryId &id, qint64 version)
{
    EntryResource entry;
    entry.entryId = QStringLiteral("e1");
    entry.clientEntryId = id;
    entry.version = version;
    return encodeEntry(entry);
}

TransportReply entryReply(int status, qint64 version, const char *tag, Headers headers = {})
{
    headers.emplaceBack("ETag", tag);
    return ownReply(status, entryBody(entryId, version), std::move(headers));
}

TransportReply withCurrent(ProblemCode code, qint64 version, bool deleted, const ClientEntryId &id = entryId)
{
    Problem problem;
    problem.code = code;
    problem.current = CurrentEntry{QStringLiteral("e1"), id, version, deleted, {}};
    return ownReply(problem.status(), encodeProblem(problem));
}

TransportReply ended(TransportReply::End end, int status = 0)
{
    TransportReply reply;
    reply.end = end;
    reply.status = status;
    return reply;
}

/// What a Daybook server says, as somebody else's answer.
TransportReply withoutProtocol(TransportReply reply)
{
    reply.headers.removeIf([](const auto &line) { return line.first == "Daybook-Protocol"; });
    return reply;
}

struct Expected
{
    Kind kind;
    AttemptResult result;
    QString code = {};
    bool charged = true;
    std::optional<Milliseconds> retryAfter = {};
    qint64 version = 0; ///< of the server's state; 0 where there is none
    bool deleted = false;
    bool replayed = false;
};

QString code(ProblemCode code) { return info(code).name; }
QString code(QLatin1StringView word) { return word; }

Expected confirmed(qint64 version, bool deleted = false, bool replayed = false)
{
    return {.kind = Kind::Confirmed,
            .result = AttemptResult::Confirmed,
            .version = version,
            .deleted = deleted,
            .replayed = replayed};
}

Expected goneAlready(qint64 version)
{
    return {
        .kind = Kind::DoneOnServer, .result = AttemptResult::Confirmed, .version = version, .deleted = true};
}

const Expected notReachable{Kind::NotReachable, AttemptResult::NotReachable, code(clientcode::notReachable),
                            false};
const Expected unexpected{Kind::Unexpected, AttemptResult::Unexpected, code(clientcode::unexpectedReply)};

Expected refused(ProblemCode problem) { return {Kind::Refused, AttemptResult::Refused, code(problem)}; }

Expected conflict(ProblemCode problem, qint64 version, bool deleted = false)
{
    return {.kind = Kind::Conflict,
            .result = AttemptResult::Conflict,
            .code = code(problem),
            .version = version,
            .deleted = deleted};
}

Expected blocked(const QString &code, std::optional<Milliseconds> wait = {})
{
    return {Kind::AccountBlocked, AttemptResult::NotNow, code, true, wait};
}

Expected sessionExpired(ProblemCode problem)
{
    return {Kind::SessionExpired, AttemptResult::SessionRefused, code(problem), false};
}

} // namespace

Q_DECLARE_METATYPE(TransportReply)
Q_DECLARE_METATYPE(Expected)

class TestResultClassifier : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operation_data();
    void operation();
    void reading_data();
    void reading();
    void failureNeverConfirms();
    void detailNamesMembersAndStaysShort();

private:
    static void addRow(const char *name, OperationType type, const TransportReply &reply,
                       const Expected &expected);
    static void successRows();
    static void foreignRows();
    static void waitingRows();
    static void refusalRows();
    static void conflictRows();
    static void compare(const Verdict &verdict, const Expected &expected);
};

void TestResultClassifier::addRow(const char *name, OperationType type, const TransportReply &reply,
                                  const Expected &expected)
{
    QTest::addRow("%s %s", daybook::name(type).latin1(), name) << type << reply << expected;
}

void TestResultClassifier::operation_data()
{
    QTest::addColumn<OperationType>("type");
    QTest::addColumn<TransportReply>("reply");
    QTest::addColumn<Expected>("expected");
    successRows();
    foreignRows();
    waitingRows();
    refusalRows();
    conflictRows();
}

void TestResultClassifier::successRows()
{
    const Headers first{{"Idempotent-Replayed", "false"}};
    const Headers again{{"Idempotent-Replayed", "true"}};
    addRow("201", create, entryReply(201, 1, "\"1\"", first), confirmed(1));
    addRow("201 replayed", create, entryReply(201, 1, "\"1\"", again), confirmed(1, false, true));
    addRow("200 of an equal entry", create, entryReply(200, 4, "\"4\""), confirmed(4));
    addRow("200", update, entryReply(200, 4, "\"4\"", first), confirmed(4));
    addRow("200 replayed", update, entryReply(200, 4, "\"4\"", again), confirmed(4, false, true));

    const TransportReply gone = ownReply(204, {}, {{"ETag", "\"4\""}, {"Idempotent-Replayed", "false"}});
    addRow("204", deletion, gone, confirmed(4, true));
    addRow("204 replayed", deletion, ownReply(204, {}, {{"ETag", "\"4\""}, {"Idempotent-Replayed", "true"}}),
           confirmed(4, true, true));
    addRow("204 without Idempotent-Replayed", deletion, ownReply(204, {}, {{"ETag", "\"4\""}}), unexpected);
    addRow("204 without ETag", deletion, ownReply(204, {}, first), unexpected);
    for (const char *tag : {"\"x\"", "4", "W/\"4\"", "\"\"", "\"-4\"", "\"0\"", "\"4.0\"", "\"04\""}) {
        addRow(qPrintable(QStringLiteral("204 with ETag %1").arg(QLatin1StringView(tag))), deletion,
               ownReply(204, {}, {{"ETag", tag}, {"Idempotent-Replayed", "false"}}), unexpected);
    }
    addRow("204 without the protocol header", deletion, withoutProtocol(gone), unexpected);
    addRow("200 with an entry", deletion, entryReply(200, 4, "\"4\"", first), unexpected);
    addRow("204", create, gone, unexpected);
    addRow("204", update, gone, unexpected);
}

void TestResultClassifier::foreignRows()
{
    const QByteArray page = "<html>Sign in to this network</html>";
    const QByteArray entry = entryBody(entryId, 1);
    addRow("201 without the protocol header", create, withoutProtocol(entryReply(201, 1, "\"1\"")),
           unexpected);
    addRow("201 of another entry", create, ownReply(201, entryBody(otherId, 1), {{"ETag", "\"1\""}}),
           unexpected);
    addRow("201 with another version's ETag", create, entryReply(201, 1, "\"2\""), unexpected);
    addRow("201 with a weak ETag", create, entryReply(201, 1, "W/\"1\""), unexpected);
    addRow("201 without ETag", create, ownReply(201, entry), unexpected);
    addRow("201 with two ETags", create, entryReply(201, 1, "\"1\"", {{"ETag", "\"1\""}}), unexpected);
    addRow("201 empty", create, ownReply(201), unexpected);
    addRow("201 cut", create, ownReply(201, entry.chopped(5), {{"ETag", "\"1\""}}), unexpected);
    addRow("201 with other JSON", create, ownReply(201, "{\"ok\":true}", {{"ETag", "\"1\""}}), unexpected);
    addRow("200 HTML", create, foreignReply(200, page), unexpected);
    addRow("200 HTML with the protocol header", create, ownReply(200, page), unexpected);
    addRow("100", create, foreignReply(100, {}), unexpected);
    for (const int status : {300, 301, 302, 303, 304, 307, 308}) {
        addRow(qPrintable(QStringLiteral("redirect %1").arg(status)), create,
               foreignReply(status, {}, {{"Location", "http://elsewhere/"}}), unexpected);
    }
    // No other status is believed without the header and a code of the protocol, whatever it says.
    for (const int status :
         {400, 401, 403, 404, 409, 410, 412, 413, 422, 424, 451, 500, 501, 505, 507, 511}) {
        addRow(qPrintable(QStringLiteral("foreign %1").arg(status)), update, foreignReply(status, page),
               unexpected);
        addRow(qPrintable(QStringLiteral("foreign %1 with Retry-After").arg(status)), update,
               foreignReply(status, page, {{"Retry-After", "9"}}), unexpected);
    }
    addRow("refusal without the protocol header", update, withoutProtocol(problemReply(403, "FORBIDDEN")),
           unexpected);
    addRow("401 without the protocol header", update, withoutProtocol(problemReply(401, "TOKEN_EXPIRED")),
           unexpected);
    addRow("404 without the protocol header", deletion, withoutProtocol(problemReply(404, "ENTRY_NOT_FOUND")),
           unexpected);
    addRow("unknown code", update, problemReply(403, "SOMETHING_ELSE"), unexpected);
    addRow("code of another status", update, problemReply(404, "FORBIDDEN"), unexpected);
    addRow("refusal cut", update, ownReply(403, "{\"type\":\"urn:daybook:problem:FORBID"), unexpected);

    using End = TransportReply::End;
    addRow("no connection", create, ended(End::NotConnected), notReachable);
    Expected proxy = notReachable;
    addRow("proxy wants a sign-in", create, foreignReply(407, page), proxy);
    addRow("no reply", create, ended(End::NoReply),
           {Kind::Unknown, AttemptResult::Unknown, code(clientcode::noReply)});
    addRow("cut or oversized reply", create, ended(End::NoReply, 201), unexpected);
    addRow("aborted", create, ended(End::Aborted),
           {Kind::Aborted, AttemptResult::Aborted, code(clientcode::aborted), false});
}

void TestResultClassifier::waitingRows()
{
    using std::chrono::seconds;
    const QString foreignCode = code(clientcode::unexpectedReply);
    for (const int status : {408, 425, 429, 502, 503, 504}) {
        const QString text = QString::number(status);
        addRow(qPrintable(text + QStringLiteral(" of a gateway")), create, foreignReply(status, "<html>"),
               blocked(foreignCode));
        addRow(qPrintable(text + QStringLiteral(" of a gateway with Retry-After")), create,
               foreignReply(status, "<html>", {{"Retry-After", "7"}}), blocked(foreignCode, seconds(7)));
    }
    addRow("429", create, problemReply(429, "RATE_LIMITED", {{"Retry-After", "2"}}),
           blocked(code(ProblemCode::RateLimited), seconds(2)));
    addRow("408", create, problemReply(408, "REQUEST_TIMEOUT"), blocked(code(ProblemCode::RequestTimeout)));
    addRow("503", create, problemReply(503, "STORAGE_UNAVAILABLE", {{"Retry-After", "30"}}),
           blocked(code(ProblemCode::StorageUnavailable), seconds(30)));

    const QString unavailable = code(ProblemCode::StorageUnavailable);
    const auto storage = [](const char *retryAfter, Headers more = {}) {
        more.emplaceBack("Retry-After", retryAfter);
        return problemReply(503, "STORAGE_UNAVAILABLE", more);
    };
    const Headers date{{"Date", "Mon, 12 Jan 2026 10:00:00 GMT"}}; // a server whose clock is a day behind
    addRow("Retry-After date", create, storage("Mon, 12 Jan 2026 10:01:30 GMT", date),
           blocked(unavailable, seconds(90)));
    addRow("Retry-After date, no Date", create, storage("Tue, 13 Jan 2026 08:00:20 GMT"),
           blocked(unavailable, seconds(20)));
    addRow("Retry-After past", create, storage("Mon, 12 Jan 2026 09:00:00 GMT", date), blocked(unavailable));
    addRow("Retry-After far ahead", create, storage("Mon, 12 Jan 2099 10:00:00 GMT", date),
           blocked(unavailable, std::chrono::hours(24)));
    addRow("Retry-After huge", create, storage("99999999999999999999999"),
           blocked(unavailable, std::chrono::hours(24)));
    addRow("Retry-After zero", create, storage("0"), blocked(unavailable));
    for (const char *nonsense : {"-5", "+5", "1.5", "soon", "", "5 s", "0x10"})
        addRow(qPrintable(QStringLiteral("Retry-After \"%1\"").arg(QLatin1StringView(nonsense))), create,
               storage(nonsense), blocked(unavailable));
    addRow("Retry-After twice", create, storage("5", {{"Retry-After", "6"}}), blocked(unavailable));

    // On any other refusal of this server it means: the same operation, again, then.
    const Headers later{{"Retry-After", "5"}};
    addRow("400 with Retry-After", create, problemReply(400, "MALFORMED_REQUEST", later),
           blocked(code(ProblemCode::MalformedRequest), seconds(5)));
    addRow("401 with Retry-After", create, problemReply(401, "TOKEN_EXPIRED", later),
           blocked(code(ProblemCode::TokenExpired), seconds(5)));
    addRow("403 with Retry-After", create, problemReply(403, "FORBIDDEN", later),
           blocked(code(ProblemCode::Forbidden), seconds(5)));
    addRow("404 with Retry-After", deletion, problemReply(404, "ENTRY_NOT_FOUND", later),
           blocked(code(ProblemCode::EntryNotFound), seconds(5)));
    addRow("500 with Retry-After", create, problemReply(500, "INTERNAL_ERROR", later),
           blocked(code(ProblemCode::InternalError), seconds(5)));
    addRow("422 with nonsense in Retry-After", create,
           problemReply(422, "VALIDATION_FAILED", {{"Retry-After", "-1"}}),
           refused(ProblemCode::ValidationFailed));
    addRow("201 with Retry-After", create, entryReply(201, 1, "\"1\"", later), confirmed(1));

    Expected inProgress{Kind::InProgress, AttemptResult::NotNow, code(ProblemCode::OperationInProgress)};
    addRow("409 in progress", create, problemReply(409, "OPERATION_IN_PROGRESS"), inProgress);
    inProgress.retryAfter = seconds(5);
    addRow("409 in progress with Retry-After", create, problemReply(409, "OPERATION_IN_PROGRESS", later),
           inProgress);
}

void TestResultClassifier::refusalRows()
{
    addRow("500", create, problemReply(500, "INTERNAL_ERROR"),
           {Kind::ServerError, AttemptResult::ServerError, code(ProblemCode::InternalError)});
    addRow("401 expired", create, problemReply(401, "TOKEN_EXPIRED"),
           sessionExpired(ProblemCode::TokenExpired));
    addRow("401 unknown", deletion, problemReply(401, "UNAUTHENTICATED"),
           sessionExpired(ProblemCode::Unauthenticated));
    addRow("403 account", create, problemReply(403, "ACCOUNT_MISMATCH"),
           {Kind::AccountMismatch, AttemptResult::Refused, code(ProblemCode::AccountMismatch), false});
    addRow("424", update, problemReply(424, "DEPENDENCY_FAILED"),
           {Kind::NotExecuted, AttemptResult::NotNow, code(ProblemCode::DependencyFailed), false});
    for (const ProblemCode problem :
         {ProblemCode::Forbidden, ProblemCode::IdempotencyKeyReused, ProblemCode::IdempotencyKeyMissing,
          ProblemCode::IdempotencyKeyInvalid, ProblemCode::AccountHeaderMissing,
          ProblemCode::MalformedRequest, ProblemCode::MalformedJson, ProblemCode::MethodNotAllowed,
          ProblemCode::NotFound, ProblemCode::PayloadTooLarge, ProblemCode::UriTooLong,
          ProblemCode::UnsupportedMediaType, ProblemCode::HeadersTooLarge, ProblemCode::ValidationFailed,
          ProblemCode::SchemaVersionUnsupported, ProblemCode::PreconditionRequired,
          ProblemCode::UsernameTaken, ProblemCode::CursorExpired}) {
        const TransportReply reply = problemReply(info(problem).status, info(problem).name.latin1());
        for (const OperationType type : {create, update, deletion})
            addRow(info(problem).name.latin1(), type, reply, refused(problem));
    }
}

void TestResultClassifier::conflictRows()
{
    using enum ProblemCode;
    addRow("409 taken", create, withCurrent(ClientEntryIdTaken, 2, false), conflict(ClientEntryIdTaken, 2));
    addRow("409 taken without current", create, problemReply(409, "CLIENT_ENTRY_ID_TAKEN"), unexpected);
    addRow("410 deleted", create, withCurrent(EntryDeleted, 7, true), conflict(EntryDeleted, 7, true));
    addRow("404", create, problemReply(404, "ENTRY_NOT_FOUND"), refused(EntryNotFound));

    addRow("412", update, withCurrent(VersionConflict, 5, false), conflict(VersionConflict, 5));
    addRow("412 of another entry", update, withCurrent(VersionConflict, 5, false, otherId), unexpected);
    addRow("412 without current", update, problemReply(412, "VERSION_CONFLICT"), unexpected);
    addRow("410 deleted", update, withCurrent(EntryDeleted, 7, true), conflict(EntryDeleted, 7, true));
    addRow("410 deleted without current", update, problemReply(410, "ENTRY_DELETED"),
           conflict(EntryDeleted, 4, true));
    addRow("404", update, problemReply(404, "ENTRY_NOT_FOUND"), conflict(EntryNotFound, 0));

    addRow("412", deletion, withCurrent(VersionConflict, 5, false), conflict(VersionConflict, 5));
    addRow("410 deleted", deletion, withCurrent(EntryDeleted, 7, true), goneAlready(7));
    addRow("410 deleted without current", deletion, problemReply(410, "ENTRY_DELETED"), goneAlready(4));
    addRow("404", deletion, problemReply(404, "ENTRY_NOT_FOUND"), goneAlready(4));

    for (const OperationType type : {create, update, deletion})
        addRow("410 result expired", type, problemReply(410, "OPERATION_RESULT_EXPIRED"),
               {Kind::ReadEntry, AttemptResult::Confirmed});
}

void TestResultClassifier::compare(const Verdict &verdict, const Expected &expected)
{
    QCOMPARE(verdict.kind, expected.kind);
    QCOMPARE(name(verdict.end.result), name(expected.result));
    QCOMPARE(verdict.end.errorCode, expected.code);
    QCOMPARE(verdict.end.charged, expected.charged);
    QCOMPARE(verdict.end.replayed, expected.replayed);
    QCOMPARE(verdict.retryAfter, expected.retryAfter);
    QCOMPARE(verdict.server ? verdict.server->version : 0, expected.version);
    QCOMPARE(verdict.server && verdict.server->deleted, expected.deleted);
}

void TestResultClassifier::operation()
{
    QFETCH(const OperationType, type);
    QFETCH(const TransportReply, reply);
    QFETCH(const Expected, expected);
    const Verdict verdict = classify(operationOf(type), reply, now);
    compare(verdict, expected);
    QCOMPARE(verdict.end.httpStatus, reply.status);
}

void TestResultClassifier::reading_data()
{
    QTest::addColumn<TransportReply>("reply");
    QTest::addColumn<Expected>("expected");
    QTest::newRow("200") << entryReply(200, 9, "\"9\"") << confirmed(9);
    QTest::newRow("200 of another entry")
        << ownReply(200, entryBody(otherId, 9), {{"ETag", "\"9\""}}) << unexpected;
    QTest::newRow("410") << withCurrent(ProblemCode::EntryDeleted, 7, true) << confirmed(7, true);
    QTest::newRow("404") << problemReply(404, "ENTRY_NOT_FOUND") << confirmed(4, true);
    QTest::newRow("foreign 404") << foreignReply(404, "<html>") << unexpected;
    QTest::newRow("401") << problemReply(401, "TOKEN_EXPIRED") << sessionExpired(ProblemCode::TokenExpired);
    QTest::newRow("503") << problemReply(503, "STORAGE_UNAVAILABLE")
                         << blocked(code(ProblemCode::StorageUnavailable));
    QTest::newRow("403") << problemReply(403, "FORBIDDEN") << refused(ProblemCode::Forbidden);
    QTest::newRow("no connection") << ended(TransportReply::End::NotConnected) << notReachable;
}

void TestResultClassifier::reading()
{
    QFETCH(const TransportReply, reply);
    QFETCH(const Expected, expected);
    compare(classifyRead(operationOf(update), reply, now), expected);
}

void TestResultClassifier::failureNeverConfirms()
{
    compare(classifyFailure(ownReply(200, "{}"), now), unexpected);
    compare(classifyFailure(ownReply(204), now), unexpected);
    compare(classifyFailure(entryReply(200, 1, "\"1\""), now), unexpected);
}

void TestResultClassifier::detailNamesMembersAndStaysShort()
{
    Problem problem;
    problem.code = ProblemCode::ValidationFailed;
    problem.detail = QStringLiteral("not acceptable");
    problem.members = {{QStringLiteral("/value"), QStringLiteral("too large")}};
    const auto detailOf = [&] {
        return classify(operationOf(create), ownReply(422, encodeProblem(problem)), now).end.errorDetail;
    };
    QCOMPARE(detailOf(), QStringLiteral("not acceptable; /value: too large"));
    problem.detail = QString(10'000, QLatin1Char('x'));
    QCOMPARE(detailOf().size(), 500);
}

QTEST_APPLESS_MAIN(TestResultClassifier)
#include "tst_resultclassifier.moc"
