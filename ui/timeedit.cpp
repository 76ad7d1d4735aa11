#include "ui/timeedit.h"

#include "models/items/recordedtext.h"
#include "ui/glyph.h"

#include <QDateTimeEdit>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QTimer>
#include <QToolButton>

namespace daybook {

namespace {

/// The wall clock in a calendar without summer time, so that the editor never jumps over an hour.
QDateTime plainWallClock(const RecordedAt &recordedAt)
{
    const QDateTime wallClock = recordedAt.wallClock();
    const QTime time = wallClock.time();
    return {wallClock.date(), QTime(time.hour(), time.minute()), Qt::UTC};
}

} // namespace

TimeEdit::TimeEdit(const Clock &clock, QWidget *parent)
    : QWidget(parent),
      m_clock(clock),
      m_edit(new QDateTimeEdit),
      m_offset(new QLabel),
      m_now(new QToolButton),
      m_ticks(new QTimer(this))
{
    m_edit->setTimeSpec(Qt::UTC);
    m_edit->setDateRange(QDate(100, 1, 1), QDate(9999, 12, 31));
    m_edit->setDisplayFormat(dateTimeFormat(locale()));
    m_edit->setCalendarPopup(true);
    connect(m_edit, &QDateTimeEdit::dateTimeChanged, this, &TimeEdit::leaveClock);
    // Half a number is no new time yet, but must not be overwritten by the clock either.
    connect(m_edit->findChild<QLineEdit *>(), &QLineEdit::textEdited, this, &TimeEdit::leaveClock);

    m_now->setIcon(glyph(QLatin1StringView("waiting")));
    m_now->setCheckable(true);
    m_now->setAutoRaise(true);
    m_now->setToolTip(tr("Use the time of saving"));
    m_now->setAccessibleName(m_now->toolTip());
    connect(m_now, &QToolButton::clicked, this, [this](bool on) { on ? followClock() : leaveClock(); });
    m_ticks->setSingleShot(true);
    connect(m_ticks, &QTimer::timeout, this, &TimeEdit::tick);

    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    row->addWidget(m_edit, 1);
    row->addWidget(m_offset);
    row->addWidget(m_now);
    setFocusProxy(m_edit);
}

void TimeEdit::setAccessibleNames(const QString &time) { m_edit->setAccessibleName(time); }

void TimeEdit::followClock()
{
    m_now->setChecked(true);
    tick();
}

void TimeEdit::tick()
{
    display(recordedHere(m_clock.now()));
    constexpr auto minute = std::chrono::minutes(1);
    const Instant now = m_shown.instant;
    m_ticks->start(std::chrono::floor<std::chrono::minutes>(now) + minute - now);
}

void TimeEdit::leaveClock()
{
    m_ticks->stop();
    m_now->setChecked(false);
}

void TimeEdit::setRecordedAt(const RecordedAt &recordedAt)
{
    m_now->hide();
    leaveClock();
    display(recordedAt);
}

void TimeEdit::display(const RecordedAt &recordedAt)
{
    const QSignalBlocker quiet(m_edit);
    m_shown = recordedAt;
    m_edit->setDateTime(plainWallClock(recordedAt));
    m_untouched =
        m_edit->dateTime(); // not quite what was set where the editor's calendar does not reach back
    m_offset->setText(offsetText(recordedAt));
    m_offset->setVisible(!isRecordedHere(recordedAt));
}

Result<RecordedAt> TimeEdit::recordedAt() const
{
    if (m_now->isChecked())
        return recordedHere(m_clock.now());
    const QDateTime typed = m_edit->dateTime();
    if (typed == m_untouched)
        return m_shown;
    if (!isRecordedHere(m_shown)) {
        const Instant wallClock = fromEpochMilliseconds(typed.toMSecsSinceEpoch());
        return RecordedAt{wallClock - m_shown.utcOffset, m_shown.utcOffset};
    }
    const QDateTime local(typed.date(), typed.time(), Qt::LocalTime);
    if (!local.isValid() || local.time() != typed.time())
        return Error{ErrorKind::InvalidTime, QStringLiteral("the clocks here skip this time")};
    return recordedHere(fromEpochMilliseconds(local.toMSecsSinceEpoch()));
}

} // namespace daybook
