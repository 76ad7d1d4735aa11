#include "ui/entryeditor.h"

#include "tests/support/fakeclock.h"
#include "ui/messageline.h"

#include <QDateTimeEdit>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace daybook;
using namespace std::chrono_literals;

class TestEntryEditor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("TZ", "Europe/London");
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        qRegisterMetaType<EntryEdit>();
    }

    void init()
    {
        m_entry.id = ClientEntryId(QUuid::createUuid());
        m_entry.fields.value = *DecimalValue::fromThousandths(1234);
        m_entry.fields.recordedAt = *RecordedAt::fromRfc3339("2026-06-15T09:00:30.250+01:00");
        m_entry.fields.category = QStringLiteral("Weight (kg)");
        m_entry.fields.note = QStringLiteral("no-break\u00a0space\r\nand a line");
        m_entry.server = ServerState{QStringLiteral("7"), 3, m_entry.fields, false};
        open();
    }

    void cleanup()
    {
        m_saved.reset();
        m_editor.reset();
    }

    void handsBackWhatItWasGiven()
    {
        save();
        QVERIFY(edit().id == m_entry.id);
        QVERIFY(edit().base == m_entry.fields);
        QVERIFY(edit().fields == m_entry.fields);
        QCOMPARE(edit().baseVersion, std::optional<qint64>(3));
    }

    void anotherFieldNeverMovesTheTime_data()
    {
        QTest::addColumn<QByteArray>("recordedAt");
        QTest::newRow("summer, here") << QByteArray("2026-06-15T09:00:30.250+01:00");
        QTest::newRow("winter, here") << QByteArray("2026-01-15T09:00:00Z");
        QTest::newRow("elsewhere") << QByteArray("2026-01-15T09:00:00.001+09:00");
        QTest::newRow("before calendars agreed") << QByteArray("1600-02-29T12:00:00Z");
        QTest::newRow("first year") << QByteArray("0001-01-01T00:00:00Z");
    }

    void anotherFieldNeverMovesTheTime()
    {
        QFETCH(QByteArray, recordedAt);
        m_entry.fields.recordedAt = *RecordedAt::fromRfc3339(recordedAt.toStdString());
        open();
        m_editor->findChild<QPlainTextEdit *>()->setPlainText(QStringLiteral("changed"));
        m_editor->findChild<QPlainTextEdit *>()->document()->setModified(true);
        save();
        QVERIFY(edit().fields.recordedAt == m_entry.fields.recordedAt);
        QCOMPARE(edit().fields.note, QStringLiteral("changed"));
    }

    void anEditedTimeKeepsTheOffsetOfElsewhere()
    {
        m_entry.fields.recordedAt = *RecordedAt::fromRfc3339("2026-01-15T09:00:00+09:00");
        open();
        setTime(QDate(2026, 1, 15), QTime(10, 30));
        save();
        QCOMPARE(edit().fields.recordedAt.toRfc3339(), QStringLiteral("2026-01-15T10:30:00+09:00"));
    }

    void anEditedTimeHereGetsTheOffsetOfItsDate()
    {
        setTime(QDate(2026, 1, 15), QTime(9, 0));
        save();
        QCOMPARE(edit().fields.recordedAt.toRfc3339(), QStringLiteral("2026-01-15T09:00:00Z"));
    }

    void aTimeThatTheClocksSkipIsRefused()
    {
        setTime(QDate(2026, 3, 29), QTime(1, 30));
        save();
        QCOMPARE(m_saved->size(), 0);
        QVERIFY(error()->text().contains(QStringLiteral("no such time")));
    }

    void whatWasTypedStaysWhenItCannotBeSaved()
    {
        auto *value = m_editor->findChild<QLineEdit *>();
        value->setText(QStringLiteral("1.23456"));
        save();
        QCOMPARE(m_saved->size(), 0);
        QVERIFY(error()->isVisible());
        QVERIFY(value->hasFocus());
        QCOMPARE(value->text(), QStringLiteral("1.23456"));

        value->setText(QStringLiteral("2"));
        save();
        QCOMPARE(m_saved->size(), 1);
        m_editor->showError(QStringLiteral("The disk is full."));
        QVERIFY(m_editor->isVisible());
        QCOMPARE(value->text(), QStringLiteral("2"));
    }

    void linesOfANoteAreKept()
    {
        auto *note = m_editor->findChild<QPlainTextEdit *>();
        note->clear();
        QTest::keyClicks(note, QStringLiteral("one"));
        QTest::keyClick(note, Qt::Key_Return);
        QTest::keyClicks(note, QStringLiteral("two"));
        save();
        QCOMPARE(edit().fields.note, QStringLiteral("one\ntwo"));
    }

private:
    void open()
    {
        m_editor = std::make_unique<EntryEditor>(m_entry, QStringList(), m_clock);
        m_saved = std::make_unique<QSignalSpy>(m_editor.get(), &EntryEditor::saveRequested);
        m_editor->open();
        QVERIFY(QTest::qWaitForWindowActive(m_editor.get()));
    }
    void save() { m_editor->findChild<QDialogButtonBox *>()->button(QDialogButtonBox::Save)->click(); }
    void setTime(QDate date, QTime time)
    {
        m_editor->findChild<QDateTimeEdit *>()->setDateTime(QDateTime(date, time, Qt::UTC));
    }
    EntryEdit edit() const { return m_saved->last().first().value<EntryEdit>(); }
    MessageLine *error() const { return m_editor->findChild<MessageLine *>(); }

    FakeClock m_clock;
    Entry m_entry;
    std::unique_ptr<EntryEditor> m_editor;
    std::unique_ptr<QSignalSpy> m_saved;
};

QTEST_MAIN(TestEntryEditor)
#include "tst_entryeditor.moc"
