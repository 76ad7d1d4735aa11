#include "sync/client/dispatcher.h"

#include "models/domain/random.h"
#include "tests/support/faketransport.h"

#include <QTest>

using namespace daybook;

class tst_Dispatcher : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachEndIsToldOnceWithItsLaneFree()
    {
        FakeTransport network;
        Dispatcher lanes(network);
        QList<int> ends;
        for (int i = 0; i < 3; ++i)
            lanes.send(newId(), {},
                       [&, i](const TransportReply &) { ends.append(10 * i + lanes.freeLanes(6)); });
        QCOMPARE(lanes.freeLanes(6), 3);
        QCOMPARE(lanes.freeLanes(1), 0);
        network.answer(1, {});
        network.answer(0, {});
        QCOMPARE(ends, QList({14, 5}));
        QVERIFY(!lanes.isEmpty());
        network.answer(2, {});
        QVERIFY(lanes.isEmpty());
    }

    void aHandlerMayUseTheLaneAgain()
    {
        FakeTransport network;
        Dispatcher lanes(network);
        const OperationId id = newId();
        int ends = 0;
        lanes.send(id, {}, [&](const TransportReply &) {
            ++ends;
            lanes.send(id, {}, [&](const TransportReply &) { ++ends; });
        });
        network.answer(0, {});
        QCOMPARE(network.openCount(), size_t(1));
        network.answer(1, {});
        QCOMPARE(ends, 2);
        QVERIFY(lanes.isEmpty());
    }

    /// also after a sleep in which its lease ran out, an operation is under way once at most.
    void theSameOperationAgainEndsItsEarlierExchange()
    {
        FakeTransport network;
        Dispatcher lanes(network);
        const OperationId id = newId();
        bool first = false;
        bool second = false;
        lanes.send(id, {}, [&](const TransportReply &) { first = true; });
        lanes.send(id, {}, [&](const TransportReply &) { second = true; });
        QVERIFY(!network.isOpen(0));
        QCOMPARE(lanes.freeLanes(6), 5);
        network.answer(1, {});
        QVERIFY(second);
        QVERIFY(!first);
    }

    void abortingTellsNobody()
    {
        FakeTransport network;
        bool told = false;
        {
            Dispatcher lanes(network);
            lanes.send(newId(), {}, [&](const TransportReply &) { told = true; });
            lanes.abortAll();
            QVERIFY(lanes.isEmpty());
            QCOMPARE(network.openCount(), size_t(0));
            lanes.send(newId(), {}, [&](const TransportReply &) { told = true; });
        }
        QCOMPARE(network.openCount(), size_t(0));
        QVERIFY(!told);
    }

private:
    OperationId newId() { return OperationId::random(m_random); }

    SeededRandom m_random{1};
};

QTEST_GUILESS_MAIN(tst_Dispatcher)
#include "tst_dispatcher.moc"
