#include "tests/server/conversation.h"

#include <QTest>

namespace daybook {
namespace {

QByteArray fieldsJson(const QByteArray &value, const QByteArray &note)
{
    return "\"schemaVersion\":1,\"value\":" + value +
           ",\"recordedAt\":\"2026-01-13T09:10:00+09:00\",\"category\":\"\",\"note\":\"" + note + "\"}";
}

} // namespace

Step Step::by(Who other) const
{
    Step step = *this;
    step.who = other;
    return step;
}

Step Step::gets(int expectedStatus, const QByteArray &tagOrCode, const QByteArray &expectedReplayed) const
{
    Step step = *this;
    step.status = expectedStatus;
    step.says = tagOrCode;
    step.replayed = expectedReplayed;
    return step;
}

QByteArray createJson(const QByteArray &id, const QByteArray &value, const QByteArray &note)
{
    return "{\"clientEntryId\":\"" + id + "\"," + fieldsJson(value, note);
}

Step create(const QByteArray &key, const QByteArray &value, const QByteArray &id)
{
    return {.method = "POST", .target = "/v1/entries", .key = key, .body = createJson(id, value)};
}

Step update(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &value, const QByteArray &id)
{
    return {.method = "PUT",
            .target = "/v1/entries/" + id,
            .key = key,
            .ifMatch = ifMatch,
            .body = '{' + fieldsJson(value, {})};
}

Step remove(const QByteArray &key, const QByteArray &ifMatch, const QByteArray &id)
{
    return {.method = "DELETE", .target = "/v1/entries/" + id, .key = key, .ifMatch = ifMatch};
}

Step read(const QByteArray &id) { return {.method = "GET", .target = "/v1/entries/" + id}; }

Step receipt(const QByteArray &key) { return {.method = "GET", .target = "/v1/receipts", .key = key}; }

ServerRequest requestOf(const Step &step, const Person &person)
{
    ServerRequest request = asked(jsonRequest(step.method, step.target, step.body), person);
    if (!step.key.isEmpty())
        request.headers.emplaceBack("Idempotency-Key", step.key);
    if (!step.ifMatch.isEmpty())
        request.headers.emplaceBack("If-Match", step.ifMatch);
    return request;
}

TwoPeople TwoPeople::signedUp()
{
    ServiceFixture fixture;
    fixture.start();
    const Person ann = signUp(fixture, QStringLiteral("ann"));
    const Person bob = signUp(fixture, QStringLiteral("bob"));
    fixture.stop();
    return {fixture.databaseBytes(), {ann, bob}};
}

Conversation::Conversation(const TwoPeople &known) : ServiceFixture(known.database), m_people(known.people)
{
    start();
}

void Conversation::play(const QList<Step> &steps)
{
    for (qsizetype i = 0; i < steps.size(); ++i) {
        const Step &step = steps[i];
        const ServerReply reply = ask(request(step));
        const QByteArray said = reply.status < 300 ? headerOf(reply, "ETag") : codeOf(reply).toLatin1();
        const QByteArray where = "step " + QByteArray::number(i) + ": " + reply.body;
        QVERIFY2(reply.status == step.status, where);
        QVERIFY2(said == step.says, where);
        QVERIFY2(headerOf(reply, "Idempotent-Replayed") == step.replayed, where);
        QCOMPARE(headerOf(reply, "Idempotency-Expires").isEmpty(), step.replayed.isEmpty());
    }
}

QString Conversation::entries() const
{
    return read(
        QStringLiteral("SELECT username || ' ' || version || ' ' || value || iif(deleted, ' deleted', '')"
                       " FROM entries JOIN accounts USING (actor_id) ORDER BY username, client_entry_id"));
}

} // namespace daybook
