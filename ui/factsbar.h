#pragma once

#include "ui/windowfacts.h"

#include <QWidget>

class QLabel;
class QTimer;

namespace daybook {

/// The contents of the status bar: separate facts, each a label of its own. A timer runs only while one of
/// them is a countdown or an age.
class FactsBar final : public QWidget
{
    Q_OBJECT

public:
    /// \p clock must outlive the bar.
    explicit FactsBar(const Clock &clock, QWidget *parent = nullptr);
    void setFacts(const WindowFacts &facts);

private:
    QLabel *addFact(const QString &name, QLabel *label);
    static void set(QLabel *label, const QString &text, const QString &toolTip = {});
    void refresh();

    const Clock &m_clock;
    WindowFacts m_facts;
    QLabel *m_account;
    QLabel *m_connection;
    QLabel *m_busy;
    QLabel *m_queue;
    QLabel *m_attention;
    QLabel *m_nextAttempt;
    QLabel *m_lastSynced;
    QLabel *m_faults;
    QTimer *m_ticks;
};

/// "demo at 127.0.0.1:8640", or that there is none.
QString accountText(const Account &account);

} // namespace daybook
