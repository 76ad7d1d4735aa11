#include "models/domain/operation.h"

#include <QTest>

#include <map>
#include <set>

using namespace daybook;
using enum OperationState;

class TestOperation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsEveryTransition_data();
    void knowsEveryTransition();
    void tellsUnfinishedFromFinished();
    void namesAreUnique();
};

void TestOperation::knowsEveryTransition_data()
{
    // The whole table, written out a second time: every pair that is not here must be refused.
    static const std::map<OperationState, std::set<OperationState>> allowed = {
        {Pending, {Sending, Superseded, Discarded, Quarantined}},
        {Sending, {Sending, Done, RetryWaiting, Pending, PermanentFailed, Conflict}},
        {RetryWaiting, {Sending, Pending, Superseded, Discarded, Quarantined, Done}},
        {PermanentFailed, {Pending, Superseded, Discarded}},
        {Conflict, {Superseded, Discarded}},
        {Superseded, {Done}},
        {Discarded, {Done}},
        {Quarantined, {}},
        {Done, {}},
    };
    QTest::addColumn<OperationState>("from");
    QTest::addColumn<OperationState>("to");
    QTest::addColumn<bool>("expected");
    for (const OperationState from : allOperationStates) {
        for (const OperationState to : allOperationStates) {
            const QByteArray row = QByteArray(name(from).data()) + " to " + name(to).data();
            QTest::newRow(row.constData()) << from << to << allowed.at(from).contains(to);
        }
    }
}

void TestOperation::knowsEveryTransition()
{
    QFETCH(OperationState, from);
    QFETCH(OperationState, to);
    QFETCH(bool, expected);
    QCOMPARE(mayBecome(from, to), expected);
}

void TestOperation::tellsUnfinishedFromFinished()
{
    for (const OperationState state :
         {Pending, Sending, RetryWaiting, PermanentFailed, Conflict, Quarantined})
        QVERIFY(isUnfinished(state));
    for (const OperationState state : {Done, Superseded, Discarded})
        QVERIFY(!isUnfinished(state));
}

void TestOperation::namesAreUnique()
{
    std::set<QString> names;
    for (const OperationState state : allOperationStates)
        names.insert(QString(name(state)));
    QCOMPARE(names.size(), allOperationStates.size());
    QVERIFY(!names.contains(QString()));
}

QTEST_GUILESS_MAIN(TestOperation)
#include "tst_operation.moc"
