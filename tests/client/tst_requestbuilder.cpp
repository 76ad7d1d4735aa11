#include "sync/client/requestbuilder.h"
#include "sync/protocol/messages.h"
#include "tests/support/faketransport.h"

#include <QTest>

using namespace daybook;

namespace {

const QString token = QStringLiteral("access-1");
const QByteArray entryId = "11111111-1111-4111-8111-111111111111";
const QByteArray operationId = "33333333-3333-4333-8333-333333333333";

Account account()
{
    Account account;
    account.serverOrigin = QStringLiteral("http://127.0.0.1:8080");
    account.serverAccountId = QStringLiteral("account-1");
    return account;
}

Operation operationOf(OperationType type)
{
    Operation operation;
    operation.id = *OperationId::fromString(QString::fromLatin1(operationId));
    operation.entryId = *ClientEntryId::fromString(QString::fromLatin1(entryId));
    operation.type = type;
    operation.payload = type == OperationType::DeleteEntry ? QByteArray() : QByteArray("{\"value\":1.50}");
    if (type != OperationType::CreateEntry)
        operation.baseVersion = 3;
    return operation;
}

} // namespace

class TestRequestBuilder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operations_data();
    void operations();
    void attemptsDifferInTheTokenOnly();
    void readings();
    void sessions();
    void noTokenStandsInAUrl();
};

void TestRequestBuilder::operations_data()
{
    QTest::addColumn<OperationType>("type");
    QTest::addColumn<QByteArray>("method");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("ifMatch");
    QTest::addColumn<QByteArray>("contentType");
    QTest::newRow("create") << OperationType::CreateEntry << QByteArray("POST") << QByteArray("/v1/entries")
                            << QByteArray() << QByteArray("application/json");
    QTest::newRow("update") << OperationType::UpdateEntry << QByteArray("PUT") << "/v1/entries/" + entryId
                            << QByteArray("\"3\"") << QByteArray("application/json");
    QTest::newRow("delete") << OperationType::DeleteEntry << QByteArray("DELETE") << "/v1/entries/" + entryId
                            << QByteArray("\"3\"") << QByteArray();
}

void TestRequestBuilder::operations()
{
    QFETCH(const OperationType, type);
    QFETCH(const QByteArray, path);
    const Operation operation = operationOf(type);
    const TransportRequest request = operationRequest(account(), operation, token);
    QTEST(request.method, "method");
    QCOMPARE(request.url, QUrl(QString::fromLatin1("http://127.0.0.1:8080" + path)));
    QCOMPARE(request.body, operation.payload);
    QCOMPARE(headerOf(request, "Authorization"), QByteArray("Bearer access-1"));
    QCOMPARE(headerOf(request, "Daybook-Account"), QByteArray("account-1"));
    QCOMPARE(headerOf(request, "Idempotency-Key"), operationId);
    QCOMPARE(headerOf(request, "Accept"), QByteArray("application/json, application/problem+json"));
    QTEST(headerOf(request, "If-Match"), "ifMatch");
    QTEST(headerOf(request, "Content-Type"), "contentType");
}

void TestRequestBuilder::attemptsDifferInTheTokenOnly()
{
    const Operation operation = operationOf(OperationType::UpdateEntry);
    TransportRequest first = operationRequest(account(), operation, token);
    const TransportRequest second = operationRequest(account(), operation, QStringLiteral("access-2"));
    QCOMPARE(headerOf(second, "Authorization"), QByteArray("Bearer access-2"));
    for (auto &[name, value] : first.headers) {
        if (name == "Authorization")
            value = "Bearer access-2";
    }
    QCOMPARE(first.headers, second.headers);
    QCOMPARE(first.body, second.body);
    QCOMPARE(first.url, second.url);
}

void TestRequestBuilder::readings()
{
    const Operation operation = operationOf(OperationType::CreateEntry);
    const TransportRequest entry = readEntryRequest(account(), operation.entryId, token);
    QCOMPARE(entry.method, QByteArray("GET"));
    QCOMPARE(entry.url.path(), QString::fromLatin1("/v1/entries/" + entryId));
    QCOMPARE(headerOf(entry, "Authorization"), QByteArray("Bearer access-1"));
    QCOMPARE(headerOf(entry, "Idempotency-Key"), QByteArray());

    const TransportRequest receipt = receiptRequest(account(), operation.id, token);
    QCOMPARE(receipt.method, QByteArray("GET"));
    QCOMPARE(receipt.url.path(), QStringLiteral("/v1/receipts"));
    QCOMPARE(headerOf(receipt, "Idempotency-Key"), operationId);
    QCOMPARE(headerOf(receipt, "Daybook-Account"), QByteArray());
}

void TestRequestBuilder::sessions()
{
    const QString origin = account().serverOrigin;
    const TransportRequest signUp =
        signUpRequest(origin, QStringLiteral("kim"), QStringLiteral("correct horse"), QStringLiteral("Kim"));
    QCOMPARE(signUp.url.path(), QStringLiteral("/v1/accounts"));
    QCOMPARE(std::get<SignUpRequest>(decodeSignUp(signUp.body)).displayName, QStringLiteral("Kim"));

    const TransportRequest signIn =
        signInRequest(origin, QStringLiteral("kim"), QStringLiteral("correct horse"), QStringLiteral("desk"));
    QCOMPARE(signIn.url.path(), QStringLiteral("/v1/sessions"));
    QCOMPARE(std::get<SignInRequest>(decodeSignIn(signIn.body)).deviceName, QStringLiteral("desk"));

    const TransportRequest refresh = refreshRequest(origin, QStringLiteral("refresh-1"));
    QCOMPARE(refresh.url.path(), QStringLiteral("/v1/sessions/refresh"));
    QCOMPARE(std::get<QString>(decodeRefresh(refresh.body)), QStringLiteral("refresh-1"));
    for (const TransportRequest &request : {signUp, signIn, refresh}) {
        QCOMPARE(request.method, QByteArray("POST"));
        QCOMPARE(headerOf(request, "Content-Type"), QByteArray("application/json"));
        QCOMPARE(headerOf(request, "Authorization"), QByteArray());
    }

    const TransportRequest signOut = signOutRequest(origin, token);
    QCOMPARE(signOut.method, QByteArray("DELETE"));
    QCOMPARE(signOut.url.path(), QStringLiteral("/v1/sessions/current"));
    QCOMPARE(headerOf(signOut, "Authorization"), QByteArray("Bearer access-1"));
}

void TestRequestBuilder::noTokenStandsInAUrl()
{
    const Operation operation = operationOf(OperationType::UpdateEntry);
    for (const TransportRequest &request :
         {operationRequest(account(), operation, token), receiptRequest(account(), operation.id, token),
          signOutRequest(account().serverOrigin, token)}) {
        QVERIFY(!request.url.toEncoded().contains("access-1"));
        QVERIFY(!request.url.toEncoded().contains(operationId));
    }
}

QTEST_APPLESS_MAIN(TestRequestBuilder)
#include "tst_requestbuilder.moc"
