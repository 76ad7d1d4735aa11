#pragma once

#include "models/domain/recordedat.h"

#include <QWidget>

class QDateTimeEdit;
class QLabel;
class QTimer;
class QToolButton;

namespace daybook {

/// The time of an entry as its wall clock. Either it follows the clock ("now") until somebody types in it, or
/// it shows a given time, which stays as it is to the millisecond and with its offset unless it is edited.
class TimeEdit final : public QWidget
{
    Q_OBJECT

public:
    /// \p clock must outlive the widget.
    explicit TimeEdit(const Clock &clock, QWidget *parent = nullptr);

    void followClock();
    void setRecordedAt(const RecordedAt &recordedAt);
    /// InvalidTime where the clocks here skip what was typed (the start of summer time).
    Result<RecordedAt> recordedAt() const;

    void setAccessibleNames(const QString &time);

private:
    void display(const RecordedAt &recordedAt);
    void leaveClock();
    void tick();

    const Clock &m_clock;
    QDateTimeEdit *m_edit;
    QLabel *m_offset;
    QToolButton *m_now;
    QTimer *m_ticks;
    RecordedAt m_shown;
    QDateTime m_untouched;
};

} // namespace daybook
