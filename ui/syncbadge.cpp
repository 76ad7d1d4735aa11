#include "ui/syncbadge.h"

#include "ui/glyph.h"
#include "ui/problemtext.h"
#include "ui/timetext.h"

#include <QCoreApplication>

#include <array>

namespace daybook {

namespace {

struct Row
{
    SyncState state;
    QLatin1StringView icon;
    Tone tone;
    const char *words;
    const char *sentence; ///< without a full stop; the cause and the next try follow
};

constexpr std::array rows = {
    Row{SyncState::Synced, QLatin1StringView("synced"), Tone::Quiet, "",
        QT_TRANSLATE_NOOP("SyncBadge", "Synced: the server has it")},
    Row{SyncState::Waiting, QLatin1StringView("waiting"), Tone::Information,
        QT_TRANSLATE_NOOP("SyncBadge", "Waiting"),
        QT_TRANSLATE_NOOP("SyncBadge", "Waiting to be sent; it is safe on this computer")},
    Row{SyncState::Sending, QLatin1StringView("sending"), Tone::Information,
        QT_TRANSLATE_NOOP("SyncBadge", "Sending"),
        QT_TRANSLATE_NOOP("SyncBadge", "On its way to the server")},
    Row{SyncState::AwaitingReply, QLatin1StringView("awaiting-reply"), Tone::Caution,
        QT_TRANSLATE_NOOP("SyncBadge", "Sent, waiting for confirmation"),
        QT_TRANSLATE_NOOP(
            "SyncBadge",
            "Sent, but not confirmed: the server may have it already, it will not get it twice")},
    Row{SyncState::RetryWaiting, QLatin1StringView("retry-waiting"), Tone::Caution,
        QT_TRANSLATE_NOOP("SyncBadge", "Will retry"), QT_TRANSLATE_NOOP("SyncBadge", "Waiting")},
    Row{SyncState::NeedsAttention, QLatin1StringView("needs-attention"), Tone::Alarm,
        QT_TRANSLATE_NOOP("SyncBadge", "Needs attention"),
        QT_TRANSLATE_NOOP("SyncBadge", "The server refused it")},
    Row{SyncState::Conflict, QLatin1StringView("conflict"), Tone::Decision,
        QT_TRANSLATE_NOOP("SyncBadge", "Conflict"),
        QT_TRANSLATE_NOOP("SyncBadge", "Changed here and elsewhere")},
    Row{SyncState::LocalOnly, QLatin1StringView("local-only"), Tone::Quiet,
        QT_TRANSLATE_NOOP("SyncBadge", "On this computer only"),
        QT_TRANSLATE_NOOP("SyncBadge", "On this computer only: it belongs to no account")},
};

const Row &rowOf(SyncState state)
{
    const Row &row = rows[static_cast<size_t>(state)];
    Q_ASSERT(row.state == state);
    return row;
}

/// The translation context of this file.
struct SyncBadge
{
    Q_DECLARE_TR_FUNCTIONS(SyncBadge)
};

bool waitsToBeSent(SyncState state)
{
    return state == SyncState::Waiting || state == SyncState::AwaitingReply ||
           state == SyncState::RetryWaiting;
}

/// When it is sent next; empty where no time is known.
QString nextTry(const SyncStatus &status, Instant now, const QString &hold)
{
    if (!hold.isEmpty() && waitsToBeSent(status.state))
        return hold;
    if (!status.nextAttemptAt)
        return {};
    return *status.nextAttemptAt > now
               ? SyncBadge::tr("next try in %1").arg(durationText(*status.nextAttemptAt - now))
               : SyncBadge::tr("next try at any moment");
}

} // namespace

QIcon badgeIcon(SyncState state)
{
    const Row &row = rowOf(state);
    return glyph(row.icon, row.tone);
}

QString badgeWords(const SyncStatus &status, Instant now, const QString &hold)
{
    const Row &row = rowOf(status.state);
    if (!*row.words)
        return {};
    if (status.state == SyncState::RetryWaiting && hold.isEmpty() && status.nextAttemptAt &&
        *status.nextAttemptAt > now)
        return SyncBadge::tr("Will retry %1").arg(momentText(*status.nextAttemptAt, now));
    return SyncBadge::tr(row.words);
}

QString badgeSentence(const SyncStatus &status, Instant now, const QString &hold)
{
    QString sentence = SyncBadge::tr(rowOf(status.state).sentence);
    if (const QString when = nextTry(status, now, hold); !when.isEmpty())
        sentence = SyncBadge::tr("%1: %2").arg(sentence, when);
    if (status.state == SyncState::NeedsAttention && status.errorCode.isEmpty())
        return SyncBadge::tr(
            "Made by a newer version of Daybook and kept for it. Install the latest version.");
    if (status.errorCode.isEmpty())
        return sentence + QLatin1Char('.');
    const ProblemText problem = problemText(status.errorCode);
    const bool isCause = status.state == SyncState::NeedsAttention || status.state == SyncState::Conflict;
    sentence = isCause ? SyncBadge::tr("%1: %2.").arg(sentence, problem.what)
                       : SyncBadge::tr("%1. Last time: %2.").arg(sentence, problem.what);
    return problem.whatToDo.isEmpty() ? sentence : sentence + QLatin1Char(' ') + problem.whatToDo;
}

QString holdText(WindowFacts::Connection connection)
{
    using Connection = WindowFacts::Connection;
    switch (connection) {
    case Connection::WorkingOffline: return SyncBadge::tr("nothing is sent while you work offline");
    case Connection::SignInAgain: return SyncBadge::tr("nothing is sent before you sign in again");
    case Connection::Paused: return SyncBadge::tr("nothing is sent while syncing is paused");
    default: return {};
    }
}

} // namespace daybook
