#pragma once

#include "models/domain/syncstate.h"
#include "ui/windowfacts.h"

#include <QIcon>

namespace daybook {

/// The shape of a badge. Each state has its own, in a colour that only repeats what the shape says.
QIcon badgeIcon(SyncState state);
/// The few words beside the shape, such as "Will retry 14:05"; empty for synced, which is quiet.
QString badgeWords(const SyncStatus &status, Instant now, const QString &hold = {});
/// The whole of it for tooltips and screen readers, true at \p now: what is going on, why, and what to do.
/// Where there is a \p hold, it stands in the place of the next try, which has no time then.
QString badgeSentence(const SyncStatus &status, Instant now, const QString &hold = {});
/// What keeps every entry from being sent until the person does something; empty where nothing does.
QString holdText(WindowFacts::Connection connection);

} // namespace daybook
