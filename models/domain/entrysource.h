#pragma once

#include "models/domain/entry.h"

#include <QList>

namespace daybook {

/// Which entries a list shows.
struct EntryFilter
{
    enum class Sync { All, NotSynced, NeedsAttention, Conflicts };

    Sync sync = Sync::All;
    QString search; ///< part of the category or note, case-insensitive; empty for no search
    std::optional<QString> category;

    bool operator==(const EntryFilter &) const = default;
};

/// An entry's place in the list: newest first, of equal instants the lower id first, so that the order never
/// changes by itself.
struct EntryKey
{
    Instant recordedAt;
    ClientEntryId id;

    bool operator==(const EntryKey &) const = default;
};

inline EntryKey keyOf(const Entry &entry) { return {entry.fields.recordedAt.instant, entry.id}; }

/// Whether \p a stands above \p b in the list.
inline bool comesBefore(const EntryKey &a, const EntryKey &b)
{
    return a.recordedAt != b.recordedAt ? a.recordedAt > b.recordedAt : a.id < b.id;
}

/// Where the item models read entries from: the list of one account, newest first, without deleted ones.
/// **Thread:** the one that made it.
class EntrySource
{
public:
    virtual ~EntrySource() = default;

    /// At most \p limit entries behind \p after (from the newest where there is none); cost does not grow
    /// with the list.
    virtual Result<QList<Entry>> entriesAfter(const EntryFilter &filter, const std::optional<EntryKey> &after,
                                              int limit) const = 0;
    /// At most \p limit entries from position \p offset; walks the index up to there.
    virtual Result<QList<Entry>> entriesFrom(const EntryFilter &filter, qint64 offset, int limit) const = 0;
    /// Those of \p ids that the filter shows, in no particular order.
    virtual Result<QList<Entry>> entriesById(const EntryFilter &filter,
                                             const QList<ClientEntryId> &ids) const = 0;
    /// How many the filter shows. Walks the index.
    virtual Result<qint64> entryCount(const EntryFilter &filter) const = 0;
    /// How many the filter shows before \p key. Walks the index up to there.
    virtual Result<qint64> entriesBefore(const EntryFilter &filter, const EntryKey &key) const = 0;
};

} // namespace daybook
