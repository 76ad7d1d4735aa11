#include "ui/factsbar.h"

#include "ui/elidedlabel.h"
#include "ui/problemtext.h"
#include "ui/timetext.h"

#include <QHBoxLayout>
#include <QTimer>
#include <QUrl>

namespace daybook {

using namespace std::chrono_literals;

namespace {

QString connectionText(WindowFacts::Connection connection)
{
    switch (connection) {
    case WindowFacts::Connection::Unknown: return FactsBar::tr("Not connected yet");
    case WindowFacts::Connection::Online: return FactsBar::tr("Online");
    case WindowFacts::Connection::Offline: return FactsBar::tr("Offline");
    case WindowFacts::Connection::ServerNotResponding: return FactsBar::tr("Server not responding");
    case WindowFacts::Connection::SignInAgain: return FactsBar::tr("Sign in again");
    case WindowFacts::Connection::Paused: return FactsBar::tr("Paused");
    case WindowFacts::Connection::WorkingOffline: return FactsBar::tr("Working offline");
    case WindowFacts::Connection::NoAccount: break;
    }
    return {};
}

QString sentenceOf(const ProblemText &problem)
{
    QString text = problem.what;
    text.replace(0, 1, text.left(1).toUpper());
    return problem.whatToDo.isEmpty() ? text + QLatin1Char('.')
                                      : text + QStringLiteral(". ") + problem.whatToDo;
}

} // namespace

QString accountText(const Account &account)
{
    if (account.isLocalOnly())
        return FactsBar::tr("On this computer only");
    return FactsBar::tr("%1 at %2").arg(account.username, QUrl(account.serverOrigin).authority());
}

FactsBar::FactsBar(const Clock &clock, QWidget *parent)
    : QWidget(parent),
      m_clock(clock),
      m_ticks(new QTimer(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(4, 0, 4, 0);
    row->setSpacing(fontMetrics().averageCharWidth() * 2);
    // The first and the last give way when there is little room.
    m_account = addFact(tr("Account"), new ElidedLabel);
    m_connection = addFact(tr("Connection"), new QLabel);
    m_busy = addFact(tr("Activity"), new QLabel);
    m_queue = addFact(tr("Not synced yet"), new QLabel);
    m_attention = addFact(tr("Needs attention"), new QLabel);
    m_nextAttempt = addFact(tr("Next try"), new QLabel);
    row->addStretch(1);
    m_faults = addFact(tr("Network faults"), new QLabel);
    m_lastSynced = addFact(tr("Last synced"), new ElidedLabel);
    m_faults->setAutoFillBackground(true);
    m_faults->setBackgroundRole(QPalette::Highlight);
    m_faults->setForegroundRole(QPalette::HighlightedText);
    m_faults->setMargin(2);
    connect(m_ticks, &QTimer::timeout, this, &FactsBar::refresh);
}

QLabel *FactsBar::addFact(const QString &name, QLabel *label)
{
    label->setTextFormat(Qt::PlainText);
    label->setProperty("fact", name);
    static_cast<QHBoxLayout *>(layout())->addWidget(label);
    return label;
}

void FactsBar::set(QLabel *label, const QString &text, const QString &toolTip)
{
    label->setVisible(!text.isEmpty());
    if (label->text() != text) {
        label->setText(text);
        label->setAccessibleName(tr("%1: %2").arg(label->property("fact").toString(), text));
    }
    label->setToolTip(toolTip.isEmpty() ? text : toolTip);
}

void FactsBar::setFacts(const WindowFacts &facts)
{
    m_facts = facts;
    refresh();
}

void FactsBar::refresh()
{
    const Instant now = m_clock.now();
    const QueueSummary &queue = m_facts.queue;
    set(m_account, accountText(m_facts.account), m_facts.account.displayName);
    set(m_connection, connectionText(m_facts.connection),
        m_facts.problem.isEmpty() ? QString() : sentenceOf(problemText(m_facts.problem)));
    set(m_busy, m_facts.busy ? tr("Syncing…") : QString());

    QString waiting;
    if (queue.waiting() > 0 && queue.oldestWaitingAt)
        waiting = tr("%1 waiting, oldest %2")
                      .arg(locale().toString(queue.waiting()), durationText(now - *queue.oldestWaitingAt));
    else if (queue.waiting() > 0)
        waiting = tr("%1 waiting").arg(locale().toString(queue.waiting()));
    set(m_queue, waiting);

    const qint64 attention = queue.needAttention() + queue.conflict;
    set(m_attention, attention > 0 ? tr("Attention: %1").arg(locale().toString(attention)) : QString(),
        tr("Refused by the server: %1. Conflicts: %2. Their entries say what to do.")
            .arg(locale().toString(queue.needAttention()), locale().toString(queue.conflict)));

    const bool waitsForTime = !m_facts.busy && m_facts.nextAttemptAt && *m_facts.nextAttemptAt > now;
    QString next;
    if (waitsForTime && *m_facts.nextAttemptAt - now < 60s)
        next = tr("next try in %1").arg(durationText(*m_facts.nextAttemptAt - now + 999ms));
    else if (waitsForTime)
        next = tr("next try %1").arg(momentText(*m_facts.nextAttemptAt, now));
    set(m_nextAttempt, next);
    set(m_lastSynced,
        m_facts.lastSyncedAt ? tr("last synced %1").arg(momentText(*m_facts.lastSyncedAt, now)) : QString());
    set(m_faults, m_facts.faultsActive ? tr("Faults on") : QString(),
        tr("Faults of the network are being simulated: replies may be lost, late or wrong on purpose."));

    if (waitsForTime || !waiting.isEmpty())
        m_ticks->start(waitsForTime ? 1s : 10s);
    else
        m_ticks->stop();
}

} // namespace daybook
