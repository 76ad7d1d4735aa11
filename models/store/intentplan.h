#pragma once

#include "models/domain/entry.h"
#include "models/domain/operation.h"

#include <optional>

namespace daybook {

/// What a person wants an entry to become.
struct Intent
{
    bool deletes = false;
    EntryFields base;                  ///< the values the person saw when deciding
    std::optional<qint64> baseVersion; ///< the server's version of them; empty where it had none
};

/// The unfinished operations of an entry, as far as they decide about an intent.
struct Unfinished
{
    const Operation *head = nullptr; ///< the first; null where there are none
    const Operation *last = nullptr;
    bool mayHaveArrived =
        false;                 ///< one that the server did not answer for, whatever a later attempt was told
    bool refusedAgain = false; ///< refused even when sent once more
};

/// What an intent does to the unfinished operations of its entry.
struct IntentPlan
{
    enum class Replaces {
        Nothing,       ///< the new operation stands behind them
        LastOperation, ///< that one never left, so both go out as one
        AllOperations, ///< the first is refused or in conflict, and this decides it
    };

    Replaces replaces = Replaces::Nothing;
    std::optional<OperationType> sends; ///< empty: the server need not hear of it
    std::optional<qint64> baseVersion;  ///< empty also where an earlier operation's reply will tell it
    std::optional<EntryFields> base;    ///< empty for a create

    bool operator==(const IntentPlan &) const = default;
};

/// The merging rules, one place: \p server is the entry's last known state there. Where a refused head is not
/// replaced, it has to be sent once more.
IntentPlan planIntent(const Intent &intent, const std::optional<ServerState> &server,
                      const Unfinished &unfinished);

} // namespace daybook
