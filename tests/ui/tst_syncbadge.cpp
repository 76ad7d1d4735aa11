#include "ui/syncbadge.h"

#include "models/domain/attempt.h"
#include "sync/protocol/problem.h"
#include "tests/support/fakeclock.h"
#include "ui/glyph.h"
#include "ui/problemtext.h"

#include <QImage>
#include <QPalette>
#include <QSet>
#include <QTest>

#include <cmath>

using namespace daybook;
using namespace std::chrono_literals;

namespace {

constexpr std::array allStates = {
    SyncState::Synced,       SyncState::Waiting,        SyncState::Sending,  SyncState::AwaitingReply,
    SyncState::RetryWaiting, SyncState::NeedsAttention, SyncState::Conflict, SyncState::LocalOnly,
};

/// The shape alone: what is painted and what is not.
QByteArray shapeOf(SyncState state)
{
    const QImage image = badgeIcon(state).pixmap(32).toImage().convertToFormat(QImage::Format_ARGB32);
    QByteArray shape;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x)
            shape += qAlpha(image.pixel(x, y)) > 127 ? '#' : ' ';
    }
    return shape;
}

double luminance(const QColor &color)
{
    const auto linear = [](double part) {
        return part <= 0.03928 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// As WCAG 2 defines it; 3 is asked for of shapes.
double contrast(const QColor &a, const QColor &b)
{
    const auto [darker, lighter] = std::minmax(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
}

} // namespace

class TestSyncBadge : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyStateHasItsOwnShapeAndWords()
    {
        QSet<QByteArray> shapes;
        QSet<QString> words;
        QSet<QString> sentences;
        for (const SyncState state : allStates) {
            const QByteArray shape = shapeOf(state);
            QVERIFY(shape.contains('#'));
            shapes.insert(shape);
            words.insert(badgeWords({state, {}, {}}, m_clock.now()));
            const QString sentence = badgeSentence({state, {}, {}}, m_clock.now());
            QVERIFY(sentence.endsWith(QLatin1Char('.')));
            sentences.insert(sentence);
        }
        QCOMPARE(shapes.size(), qsizetype(allStates.size()));
        QCOMPARE(words.size(), qsizetype(allStates.size()));
        QCOMPARE(sentences.size(), qsizetype(allStates.size()));
        QVERIFY(badgeWords({SyncState::Synced, {}, {}}, m_clock.now()).isEmpty());
    }

    void everyToneIsLegibleOnLightAndDark()
    {
        QPalette light;
        light.setColor(QPalette::Base, Qt::white);
        light.setColor(QPalette::WindowText, Qt::black);
        QPalette dark;
        dark.setColor(QPalette::Base, QColor(0x2b, 0x2d, 0x30));
        dark.setColor(QPalette::WindowText, Qt::white);
        for (const Tone tone :
             {Tone::Text, Tone::Quiet, Tone::Information, Tone::Caution, Tone::Alarm, Tone::Decision}) {
            for (const QPalette &palette : {light, dark})
                QVERIFY(contrast(toneColor(tone, palette), palette.color(QPalette::Base)) >= 3);
        }
    }

    void sentencesSayWhatIsTrueNow()
    {
        const Instant now = m_clock.now();
        SyncStatus status{SyncState::RetryWaiting, QStringLiteral("RATE_LIMITED"), now + 40s};
        QVERIFY(badgeSentence(status, now).startsWith(QStringLiteral("Waiting: next try in 40 s")));
        QVERIFY(badgeSentence(status, now + 15s).contains(QStringLiteral("25 s")));
        QVERIFY(badgeSentence(status, now + 41s).contains(QStringLiteral("at any moment")));
        QVERIFY(badgeWords(status, now).startsWith(QStringLiteral("Will retry ")));
        QVERIFY(badgeWords(status, now).contains(QLatin1Char(':')));
        QCOMPARE(badgeWords(status, now + 41s), QStringLiteral("Will retry"));

        const QString hold = holdText(WindowFacts::Connection::WorkingOffline);
        QVERIFY(
            badgeSentence(status, now, hold).startsWith(QStringLiteral("Waiting: nothing is sent while")));
        QVERIFY(!badgeSentence(status, now, hold).contains(QStringLiteral("next try")));
        QCOMPARE(badgeWords(status, now, hold), QStringLiteral("Will retry"));
        QVERIFY(holdText(WindowFacts::Connection::Offline).isEmpty()); // it keeps trying

        status = {SyncState::NeedsAttention, QStringLiteral("VALIDATION_FAILED"), {}};
        QCOMPARE(badgeSentence(status, now, hold), badgeSentence(status, now));
        QCOMPARE(badgeSentence(status, now),
                 QStringLiteral("The server refused it: a value is not acceptable to it. "
                                "Correct the entry, or discard this change."));
        status.errorCode.clear(); // no server ever saw it
        QVERIFY(!badgeSentence(status, now).contains(QStringLiteral("refused")));
    }

    void everyCodeHasWords_data()
    {
        QTest::addColumn<QString>("code");
        for (int code = 0; code <= static_cast<int>(ProblemCode::StorageUnavailable); ++code) {
            const QLatin1StringView name = info(static_cast<ProblemCode>(code)).name;
            QTest::newRow(name.data()) << QString(name);
        }
        for (const QLatin1StringView name : {clientcode::noReply, clientcode::unexpectedReply,
                                             clientcode::notReachable, clientcode::aborted})
            QTest::newRow(name.data()) << QString(name);
    }

    void everyCodeHasWords()
    {
        QFETCH(QString, code);
        const QString what = problemText(code).what;
        QVERIFY(!what.isEmpty());
        QVERIFY(what != code);
        QVERIFY(!what.contains(QLatin1Char('_')));
        QVERIFY(what.front().isLower());
        QVERIFY(!what.endsWith(QLatin1Char('.')));
    }

    void anUnknownCodeIsShownAsItIs()
    {
        QCOMPARE(problemText(QStringLiteral("FROM_TOMORROW")).what, QStringLiteral("FROM_TOMORROW"));
    }

    void everyErrorHasASentence()
    {
        QSet<QString> sentences;
        for (int kind = 0; kind <= static_cast<int>(ErrorKind::Internal); ++kind) {
            const QString sentence = errorText({static_cast<ErrorKind>(kind), {}});
            QVERIFY(sentence.endsWith(QLatin1Char('.')));
            sentences.insert(sentence);
        }
        QCOMPARE(sentences.size(), qsizetype(ErrorKind::Internal) + 1);
    }

    void refusalsAreToldInOwnWords_data()
    {
        QTest::addColumn<ErrorKind>("kind");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("said");
        const auto row = [](ErrorKind kind, const char *code, const char *said) {
            QTest::newRow(code) << kind << QString::fromLatin1(code) << QString::fromLatin1(said);
        };
        row(ErrorKind::Refused, "USERNAME_TAKEN",
            "The server refused it: this user name is taken. Choose another one, or sign in with your "
            "password.");
        row(ErrorKind::Refused, "REGISTRATION_CLOSED",
            "The server refused it: it does not take new accounts. Ask whoever runs the server for an "
            "account.");
        row(ErrorKind::Refused, "VALIDATION_FAILED",
            "The server does not accept this user name, display name or password.");
        row(ErrorKind::Credentials, "INVALID_CREDENTIALS", "The user name or the password is wrong.");
    }

    void refusalsAreToldInOwnWords()
    {
        QFETCH(ErrorKind, kind);
        QFETCH(QString, code);
        QTEST(errorText({kind, QStringLiteral("No. /password: too short"), code}), "said");
    }

    void aFailedReadSavedNothingAndSaysNothingOfSaving()
    {
        for (int kind = 0; kind <= static_cast<int>(ErrorKind::Internal); ++kind)
            QVERIFY(!readErrorText({static_cast<ErrorKind>(kind), {}}).contains(QStringLiteral("saved")));
    }

private:
    FakeClock m_clock;
};

QTEST_MAIN(TestSyncBadge)
#include "tst_syncbadge.moc"
