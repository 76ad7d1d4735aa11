#include "models/store/intentplan.h"

#include <QTest>

using namespace daybook;

namespace {

EntryFields valued(qint64 thousandths)
{
    EntryFields fields;
    fields.value = DecimalValue::fromThousandths(thousandths).value();
    return fields;
}

ServerState serverState(qint64 version, bool deleted = false)
{
    return {QStringLiteral("s"), version, valued(version), deleted};
}

Operation operation(OperationType type, OperationState state, bool left)
{
    Operation made;
    made.type = type;
    made.state = state;
    if (type != OperationType::CreateEntry) {
        made.baseVersion = 3;
        made.base = valued(3);
    }
    if (left)
        made.firstAttemptAt = fromEpochMilliseconds(1);
    return made;
}

} // namespace

/// Rows are named "what is unfinished, what the server has: what the person does".
class TestIntentPlan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plans_data();
    void plans();
    void whatMayHaveArrivedIsNotReplacedAtOnce_data();
    void whatMayHaveArrivedIsNotReplacedAtOnce();
};

void TestIntentPlan::plans_data()
{
    using enum OperationType;
    using enum OperationState;
    using Replaces = IntentPlan::Replaces;
    using Operations = QList<Operation>;
    using Server = std::optional<ServerState>;

    QTest::addColumn<Operations>("unfinished");
    QTest::addColumn<Server>("server");
    QTest::addColumn<Intent>("intent");
    QTest::addColumn<IntentPlan>("expected");

    const Intent edit{false, valued(70), 5};
    const Intent remove{true, valued(70), 5};
    const IntentPlan nothing;
    const auto row = [](const char *name, const Operations &unfinished, const Server &server,
                        const Intent &intent, const IntentPlan &expected) {
        QTest::newRow(name) << unfinished << server << intent << expected;
    };
    const Operation freshCreate = operation(CreateEntry, Pending, false);
    const Operation freshUpdate = operation(UpdateEntry, Pending, false);
    const Operation sending = operation(UpdateEntry, Sending, true);

    row("nothing, v5: edit", {}, serverState(5), edit, {Replaces::Nothing, UpdateEntry, 5, valued(70)});
    row("nothing, v5: delete", {}, serverState(5), remove, {Replaces::Nothing, DeleteEntry, 5, valued(70)});
    row("nothing, v6 by now: edit of v5", {}, serverState(6), edit,
        {Replaces::Nothing, UpdateEntry, 5, valued(70)});
    row("nothing, v7 with what the editor showed: edit of v5", {}, serverState(7), {false, valued(7), 5},
        {Replaces::Nothing, UpdateEntry, 7, valued(7)});
    row("nothing, v1 by now: edit from before", {}, serverState(1), {false, valued(1), {}},
        {Replaces::Nothing, UpdateEntry, 1, valued(1)});
    row("nothing, others' v4 by now: edit from before", {}, serverState(4), {false, valued(1), {}},
        {Replaces::Nothing, UpdateEntry, 0, valued(1)});
    row("nothing, others' v1 by now: edit from before", {}, serverState(1), {false, valued(70), {}},
        {Replaces::Nothing, UpdateEntry, 0, valued(70)});

    row("unsent create: edit", {freshCreate}, {}, edit, {Replaces::LastOperation, CreateEntry, {}, {}});
    row("unsent create: delete", {freshCreate}, {}, remove, {Replaces::LastOperation, {}, {}, {}});
    row("unsent update, v5: edit", {freshUpdate}, serverState(5), edit,
        {Replaces::LastOperation, UpdateEntry, 3, valued(3)});
    row("unsent update, v5: delete", {freshUpdate}, serverState(5), remove,
        {Replaces::LastOperation, DeleteEntry, 3, valued(3)});

    for (const OperationState state : {Sending, RetryWaiting, Pending}) {
        const Operation create = operation(CreateEntry, state, true);
        const Operation update = operation(UpdateEntry, state, true);
        const auto behind = [&](OperationType type) {
            return IntentPlan{Replaces::Nothing, type, {}, valued(70)};
        };
        row("create that left: edit", {create}, {}, edit, behind(UpdateEntry));
        row("create that left: delete", {create}, {}, remove, behind(DeleteEntry));
        row("update that left, v5: edit", {update}, serverState(5), edit, behind(UpdateEntry));
        row("update that left, v5: delete", {update}, serverState(5), remove, behind(DeleteEntry));
    }
    Operation waitsForReply = freshUpdate;
    waitsForReply.baseVersion.reset();
    row("sending and unsent update, v5: edit", {sending, waitsForReply}, serverState(5), edit,
        {Replaces::LastOperation, UpdateEntry, {}, valued(3)});
    row("sending and unsent update, v5: delete", {sending, waitsForReply}, serverState(5), remove,
        {Replaces::LastOperation, DeleteEntry, {}, valued(3)});

    row("refused create: edit", {operation(CreateEntry, PermanentFailed, true)}, {}, edit,
        {Replaces::AllOperations, CreateEntry, {}, {}});
    row("refused create: delete", {operation(CreateEntry, PermanentFailed, true)}, {}, remove,
        {Replaces::AllOperations, {}, {}, {}});
    row("refused create and unsent update: edit",
        {operation(CreateEntry, PermanentFailed, true), freshUpdate}, {}, edit,
        {Replaces::AllOperations, CreateEntry, {}, {}});
    row("refused update, v5: edit", {operation(UpdateEntry, PermanentFailed, true)}, serverState(5), edit,
        {Replaces::AllOperations, UpdateEntry, 3, valued(3)});
    row("refused update, v5: delete", {operation(UpdateEntry, PermanentFailed, true)}, serverState(5), remove,
        {Replaces::AllOperations, DeleteEntry, 3, valued(3)});
    row("refused delete, v5: delete again", {operation(DeleteEntry, PermanentFailed, true)}, serverState(5),
        remove, {Replaces::AllOperations, DeleteEntry, 3, valued(3)});

    row("conflict, v6: edit", {operation(UpdateEntry, Conflict, true)}, serverState(6), edit,
        {Replaces::AllOperations, UpdateEntry, 6, valued(6)});
    row("conflict, v6: delete", {operation(UpdateEntry, Conflict, true)}, serverState(6), remove,
        {Replaces::AllOperations, DeleteEntry, 6, valued(6)});
    row("conflict about the id, v6: edit", {operation(CreateEntry, Conflict, true)}, serverState(6), edit,
        {Replaces::AllOperations, UpdateEntry, 6, valued(6)});
    row("conflict, deleted there: edit brings it back", {operation(UpdateEntry, Conflict, true)},
        serverState(6, true), edit, {Replaces::AllOperations, UpdateEntry, 6, valued(6)});
    row("conflict, deleted there: delete", {operation(UpdateEntry, Conflict, true)}, serverState(6, true),
        remove, {Replaces::AllOperations, {}, {}, {}});
    row("conflict, unknown there: edit", {operation(UpdateEntry, Conflict, true)}, {}, edit,
        {Replaces::AllOperations, CreateEntry, {}, {}});
    row("conflict, unknown there: delete", {operation(UpdateEntry, Conflict, true)}, {}, remove,
        {Replaces::AllOperations, {}, {}, {}});

    row("quarantined, v5: edit", {operation(UpdateEntry, Quarantined, false)}, serverState(5), edit,
        {Replaces::Nothing, UpdateEntry, {}, valued(70)});
}

void TestIntentPlan::plans()
{
    QFETCH(QList<Operation>, unfinished);
    QFETCH(std::optional<ServerState>, server);
    QFETCH(Intent, intent);
    QFETCH(IntentPlan, expected);
    Unfinished queued;
    if (!unfinished.isEmpty())
        queued = {&unfinished.first(), &unfinished.last()};
    const IntentPlan plan = planIntent(intent, server, queued);
    QCOMPARE(plan.replaces, expected.replaces);
    QCOMPARE(plan.sends, expected.sends);
    QCOMPARE(plan.baseVersion, expected.baseVersion);
    QVERIFY(plan.base == expected.base);
}

void TestIntentPlan::whatMayHaveArrivedIsNotReplacedAtOnce_data()
{
    using enum OperationType;
    using enum OperationState;
    using Replaces = IntentPlan::Replaces;
    QTest::addColumn<Operation>("head");
    QTest::addColumn<std::optional<ServerState>>("server");
    QTest::addColumn<bool>("deletes");
    QTest::addColumn<IntentPlan>("first");
    QTest::addColumn<IntentPlan>("refusedAgain");
    const auto row = [](const char *name, const Operation &head, const std::optional<ServerState> &server,
                        bool deletes, const IntentPlan &first, const IntentPlan &refusedAgain) {
        QTest::newRow(name) << head << server << deletes << first << refusedAgain;
    };
    const Operation create = operation(CreateEntry, PermanentFailed, true);
    const Operation update = operation(UpdateEntry, PermanentFailed, true);
    const IntentPlan updateBehind{Replaces::Nothing, UpdateEntry, {}, valued(70)};
    const IntentPlan deleteBehind{Replaces::Nothing, DeleteEntry, {}, valued(70)};
    row("create: edit", create, {}, false, updateBehind, {Replaces::AllOperations, CreateEntry, {}, {}});
    row("create: delete", create, {}, true, deleteBehind,
        {Replaces::AllOperations, DeleteEntry, 1, valued(70)});
    row("update: edit", update, serverState(5), false, updateBehind,
        {Replaces::AllOperations, UpdateEntry, 3, valued(3)});
    row("update: delete", update, serverState(5), true, deleteBehind,
        {Replaces::AllOperations, DeleteEntry, 3, valued(3)});
    // The server's word about this very operation.
    const IntentPlan decided{Replaces::AllOperations, UpdateEntry, 6, valued(6)};
    row("conflict: edit", operation(UpdateEntry, Conflict, true), serverState(6), false, decided, decided);
    // It stands for a create that may have arrived.
    const IntentPlan deleted{Replaces::LastOperation, DeleteEntry, 1, valued(70)};
    row("unsent create: delete", operation(CreateEntry, Pending, false), {}, true, deleted, deleted);
}
void TestIntentPlan::whatMayHaveArrivedIsNotReplacedAtOnce()
{
    QFETCH(Operation, head);
    QFETCH(std::optional<ServerState>, server);
    QFETCH(bool, deletes);
    const Intent intent{deletes, valued(70), {}};
    QTEST(planIntent(intent, server, {&head, &head, true, false}), "first");
    QTEST(planIntent(intent, server, {&head, &head, true, true}), "refusedAgain");
}

QTEST_APPLESS_MAIN(TestIntentPlan)
#include "tst_intentplan.moc"
