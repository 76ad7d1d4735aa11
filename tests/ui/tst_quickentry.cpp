#include "ui/quickentry.h"

#include "tests/support/fakeclock.h"
#include "ui/messageline.h"
#include "ui/timeedit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QDateTimeEdit>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

class TestQuickEntry : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "UTC");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        qRegisterMetaType<EntryFields>();
    }

    void init()
    {
        m_row = std::make_unique<QuickEntry>(m_clock);
        m_row->setCategories({QStringLiteral("Weight (kg)"), QStringLiteral("Glucose")});
        m_saved = std::make_unique<QSignalSpy>(m_row.get(), &QuickEntry::saveRequested);
        m_row->show();
        QVERIFY(QTest::qWaitForWindowActive(m_row.get()));
        value()->setFocus();
    }

    void cleanup()
    {
        m_saved.reset();
        m_row.reset();
    }

    void isFilledInAndSavedByKeyboardAlone()
    {
        QTest::keyClicks(value(), QStringLiteral("72.5"));
        press(Qt::Key_Tab);
        QTest::keyClicks(focused(), QStringLiteral("Mood"));
        press(Qt::Key_Tab);
        QVERIFY(m_row->findChild<QDateTimeEdit *>()->hasFocus());
        note()->setFocus();
        QTest::keyClicks(note(), QStringLiteral("  after breakfast "));
        press(Qt::Key_Return);
        QCOMPARE(m_saved->size(), 1);
        const EntryFields fields = saved();
        QCOMPARE(fields.value.thousandths(), 72'500);
        QCOMPARE(fields.category, QStringLiteral("Mood"));
        QCOMPARE(fields.note, QStringLiteral("  after breakfast "));
        QVERIFY(fields.recordedAt == recordedHere(m_clock.now()));
    }

    void enterSavesFromEveryField()
    {
        value()->setText(QStringLiteral("1"));
        const QList<QWidget *> fields{value(), category(), m_row->findChild<QDateTimeEdit *>(), note()};
        for (QWidget *field : fields)
            QTest::keyClick(field, Qt::Key_Enter);
        QCOMPARE(m_saved->size(), fields.size());
    }

    void whatWasTypedStaysUntilSuccess()
    {
        value()->setText(QStringLiteral("5"));
        category()->setText(QStringLiteral("Glucose"));
        note()->setText(QStringLiteral("fasting"));
        note()->setFocus();
        press(Qt::Key_Return);
        m_row->showError(QStringLiteral("The disk is full."));
        QVERIFY(error()->isVisible());
        QCOMPARE(error()->text(), QStringLiteral("The disk is full."));
        QCOMPARE(value()->text() + category()->text() + note()->text(), QStringLiteral("5Glucosefasting"));
        QVERIFY(note()->hasFocus());

        m_row->clear();
        QVERIFY(!error()->isVisible());
        QCOMPARE(value()->text() + category()->text() + note()->text(), QString());
        QVERIFY(value()->hasFocus());
    }

    void whatCannotBeKeptIsToldInWords_data()
    {
        QTest::addColumn<QString>("typedValue");
        QTest::addColumn<QString>("typedCategory");
        QTest::addColumn<QString>("typedNote");
        QTest::addColumn<QString>("said");
        const QString one = QStringLiteral("1");
        QTest::newRow("nothing") << QString() << QString() << QString() << QStringLiteral("Type a value");
        QTest::newRow("no number") << QStringLiteral("abc") << QString() << QString()
                                   << QStringLiteral("“abc”");
        QTest::newRow("four decimals")
            << QStringLiteral("1.2345") << QString() << QString() << QStringLiteral("at most 3 decimals");
        QTest::newRow("too large") << QStringLiteral("1000000000000") << QString() << QString()
                                   << QStringLiteral("at most 12 digits");
        QTest::newRow("long category")
            << one << QString(65, u'c') << QString() << QStringLiteral("65 characters; at most 64");
        QTest::newRow("long note") << one << QString() << QString(2001, u'n')
                                   << QStringLiteral("2001 characters; at most 2000");
    }

    void whatCannotBeKeptIsToldInWords()
    {
        QFETCH(QString, typedValue);
        QFETCH(QString, typedCategory);
        QFETCH(QString, typedNote);
        QFETCH(QString, said);
        value()->setText(typedValue);
        category()->setText(typedCategory);
        note()->setText(typedNote);
        press(Qt::Key_Return);
        QCOMPARE(m_saved->size(), 0);
        QVERIFY(error()->isVisible());
        QVERIFY2(error()->text().contains(said), qPrintable(error()->text()));
        QCOMPARE(value()->text(), typedValue);
        QCOMPARE(category()->text(), typedCategory);
        QCOMPARE(note()->text(), typedNote);
    }

    void limitsAreInCodePoints()
    {
        value()->setText(QStringLiteral("1"));
        category()->setText(QStringLiteral("😀").repeated(64)); // 128 UTF-16 units
        press(Qt::Key_Return);
        QCOMPARE(m_saved->size(), 1);
    }

    void pastedTextIsCleaned()
    {
        value()->setText(QStringLiteral(" 1 "));
        QString pasted = QStringLiteral("a");
        pasted += QChar(0);
        pasted += QChar(0xD800);
        pasted += QStringLiteral("b😀");
        note()->setText(pasted);
        press(Qt::Key_Return);
        QCOMPARE(m_saved->size(), 1);
        QCOMPARE(saved().note, QStringLiteral("ab😀"));
    }

    void anOfferedCategoryIsTakenOnlyWhenChosen()
    {
        value()->setText(QStringLiteral("1"));
        category()->setFocus();
        QTest::keyClicks(category(), QStringLiteral("weig"));
        QWidget *popup = category()->completer()->popup();
        QTRY_VERIFY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Return); // as it is
        QTRY_COMPARE(m_saved->size(), 1);
        QCOMPARE(saved().category, QStringLiteral("weig"));

        category()->clear();
        QTest::keyClicks(category(), QStringLiteral("weig"));
        QTRY_VERIFY(popup->isVisible());
        QTest::keyClick(popup, Qt::Key_Down);
        QTest::keyClick(popup, Qt::Key_Return); // takes the offer
        QCOMPARE(category()->text(), QStringLiteral("Weight (kg)"));
        QCOMPARE(m_saved->size(), 1);
        QTest::keyClick(category(), Qt::Key_Return);
        QCOMPARE(saved().category, QStringLiteral("Weight (kg)"));
    }

    void theTimeFollowsTheClockUntilTouched()
    {
        value()->setText(QStringLiteral("1"));
        m_clock.advance(90s);
        press(Qt::Key_Return);
        QVERIFY(saved().recordedAt == recordedHere(m_clock.now()));

        auto *time = m_row->findChild<QDateTimeEdit *>();
        time->setDateTime(QDateTime(QDate(2025, 12, 31), QTime(23, 59), Qt::UTC));
        m_clock.advance(1h);
        press(Qt::Key_Return);
        QCOMPARE(saved().recordedAt.toRfc3339(), QStringLiteral("2025-12-31T23:59:00Z"));

        m_row->clear();
        value()->setText(QStringLiteral("1"));
        press(Qt::Key_Return);
        QVERIFY(saved().recordedAt == recordedHere(m_clock.now()));
    }

    void theClockDoesNotOverwriteHalfATime()
    {
        const auto text = [](const TimeEdit &edit) { return edit.findChild<QDateTimeEdit *>()->text(); };
        m_clock.advance(std::chrono::ceil<std::chrono::minutes>(m_clock.now() + 1ms) - m_clock.now() - 50ms);
        TimeEdit typedIn(m_clock);
        TimeEdit untouched(m_clock);
        typedIn.followClock();
        untouched.followClock(); // its clock strikes after that of the other
        auto *field = typedIn.findChild<QLineEdit *>();
        QTest::keyClick(field, Qt::Key_End);
        QTest::keyClick(field, Qt::Key_Backspace);
        const QString half = text(typedIn);
        const QString before = text(untouched);
        QVERIFY(half != before);
        m_clock.advance(1s);
        QTRY_VERIFY(text(untouched) != before);
        QCOMPARE(text(typedIn), half);
    }

    void typedDecimalsFollowTheLocale()
    {
        m_row->setLocale(QLocale(QLocale::German, QLocale::Germany));
        value()->setText(QStringLiteral("93,5"));
        press(Qt::Key_Return);
        QCOMPARE(saved().value.thousandths(), 93'500);
    }

private:
    QLineEdit *line(const char *name) const
    {
        return m_row->findChild<QLineEdit *>(QStringLiteral("quickEntry") + QLatin1StringView(name));
    }
    QLineEdit *value() const { return line("Value"); }
    QLineEdit *category() const { return line("Category"); }
    QLineEdit *note() const { return line("Note"); }
    MessageLine *error() const { return m_row->findChild<MessageLine *>(); }
    QWidget *focused() const { return m_row->window()->focusWidget(); }
    void press(Qt::Key key) { QTest::keyClick(focused(), key); }
    EntryFields saved() const { return m_saved->last().first().value<EntryFields>(); }

    FakeClock m_clock;
    std::unique_ptr<QuickEntry> m_row;
    std::unique_ptr<QSignalSpy> m_saved;
};

QTEST_MAIN(TestQuickEntry)
#include "tst_quickentry.moc"
