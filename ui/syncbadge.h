#pragma once

#include "models/domain/syncstate.h"

#include <QIcon>

namespace daybook {

/// The shape of a badge. Each state has its own, in a colour that only repeats what the shape says.
QIcon badgeIcon(SyncState state);
/// The few words beside the shape, such as "Will retry 14:05"; empty for synced, which is quiet.
QString badgeWords(const SyncStatus &status, Instant now);
/// The whole of it for tooltips and screen readers, true at \p now: what is going on, why, and what to do.
QString badgeSentence(const SyncStatus &status, Instant now);

} // namespace daybook
