#include "ui/factsbar.h"

#include "tests/support/fakeclock.h"

#include <QLabel>
#include <QTest>
#include <QTimer>

using namespace daybook;
using namespace std::chrono_literals;

class TestFactsBar : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedKingdom));
    }

    void init()
    {
        m_bar = std::make_unique<FactsBar>(m_clock);
        m_facts = {};
        m_facts.account.serverOrigin = QStringLiteral("http://127.0.0.1:8640");
        m_facts.account.username = QStringLiteral("demo");
        m_facts.connection = WindowFacts::Connection::Online;
    }

    void saysWhoAndWhere()
    {
        QCOMPARE(shown(), (QStringList{QStringLiteral("demo at 127.0.0.1:8640"), QStringLiteral("Online")}));
        m_facts.account = {};
        m_facts.connection = WindowFacts::Connection::NoAccount;
        QCOMPARE(shown(), QStringList{QStringLiteral("On this computer only")});
    }

    void saysEveryConnectionInWords()
    {
        QSet<QString> words;
        for (int state = 0; state < static_cast<int>(WindowFacts::Connection::NoAccount); ++state) {
            m_facts.connection = static_cast<WindowFacts::Connection>(state);
            words.insert(shown().value(1));
        }
        QCOMPARE(words.size(), qsizetype(WindowFacts::Connection::NoAccount));
        QVERIFY(!words.contains(QString()));
    }

    void saysHowMuchWaitsAndSinceWhen()
    {
        m_facts.queue.pending = 2;
        m_facts.queue.sending = 1;
        m_facts.queue.oldestWaitingAt = m_clock.now() - 5min;
        m_facts.queue.permanentFailed = 1;
        m_facts.queue.conflict = 1;
        QCOMPARE(shown().mid(2),
                 (QStringList{QStringLiteral("3 waiting, oldest 5 min"), QStringLiteral("Attention: 2")}));
        m_facts.queue = {};
        QCOMPARE(shown().size(), 2);
    }

    void countsDownToTheNextTryAndThenStops()
    {
        m_facts.nextAttemptAt = m_clock.now() + 2min;
        QCOMPARE(shown().value(2), QStringLiteral("next try 08:02"));
        m_clock.advance(80s);
        QTRY_COMPARE(texts().value(2), QStringLiteral("next try in 40 s")); // by its own timer
        m_clock.advance(41s);
        QTRY_COMPARE(texts().size(), 2);
        QVERIFY(!m_bar->findChild<QTimer *>()->isActive());
    }

    void namesNoNextTryWhileOneIsUnderWay()
    {
        m_facts.nextAttemptAt = m_clock.now() + 30s;
        m_facts.busy = true;
        QCOMPARE(shown().mid(2), QStringList{QStringLiteral("Syncing…")});
    }

    void rests()
    {
        m_facts.lastSyncedAt = m_clock.now() - 1min;
        QVERIFY(shown().last().startsWith(QStringLiteral("last synced ")));
        QVERIFY(!m_bar->findChild<QTimer *>()->isActive());
    }

    void anOldProblemGoesAwayWithTheNextSuccess()
    {
        m_facts.problem = QStringLiteral("NOT_REACHABLE");
        shown();
        QVERIFY(label(1)->toolTip().startsWith(QStringLiteral("The server cannot be reached. ")));
        m_facts.problem.clear();
        shown();
        QCOMPARE(label(1)->toolTip(), QStringLiteral("Online"));
    }

    void marksFaultsAndActivity()
    {
        m_facts.busy = true;
        m_facts.faultsActive = true;
        QCOMPARE(shown().mid(2), (QStringList{QStringLiteral("Syncing…"), QStringLiteral("Faults on")}));
    }

    void everyFactHasAName()
    {
        m_facts.faultsActive = true;
        m_facts.queue.pending = m_facts.queue.conflict = 1;
        m_facts.lastSyncedAt = m_clock.now();
        m_facts.nextAttemptAt = m_clock.now() + 1h;
        QCOMPARE(shown().size(), 7);
        for (const QLabel *fact : m_bar->findChildren<QLabel *>())
            QVERIFY(fact->text().isEmpty() ||
                    fact->accessibleName().endsWith(QStringLiteral(": ") + fact->text()));
    }

private:
    QStringList shown()
    {
        m_bar->setFacts(m_facts);
        return texts();
    }
    QStringList texts() const
    {
        QStringList texts;
        for (const QLabel *fact : m_bar->findChildren<QLabel *>()) {
            if (fact->isVisibleTo(m_bar.get()))
                texts << fact->text();
        }
        return texts;
    }
    QLabel *label(int index) const { return m_bar->findChildren<QLabel *>().value(index); }

    FakeClock m_clock;
    WindowFacts m_facts;
    std::unique_ptr<FactsBar> m_bar;
};

QTEST_MAIN(TestFactsBar)
#include "tst_factsbar.moc"
