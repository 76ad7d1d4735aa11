#pragma once

#include "models/domain/entrysource.h"

#include <QHash>

#include <vector>

namespace daybook {

/// The rows of a long list that are in memory: pages of neighbouring entries, of which the least recently
/// used are forgotten. It knows how long the list is and where its pages stand in it, and reads nothing
/// itself.
class EntryWindow
{
public:
    static constexpr int pageSize = 128; ///< what is read at once; a page grows to twice that by insertions
    static constexpr int maximumPages = 32;

    /// Rows that are not in memory, and the entry right above them where that one is.
    struct Gap
    {
        int first = 0;
        int length = 0;
        std::optional<EntryKey> after;
    };

    /// Forgets everything; the list now starts with \p firstPage. A full page is not known to be all.
    void reset(QList<Entry> firstPage);
    /// The list is as long as size() says.
    void setEndKnown() { m_endKnown = true; }

    int size() const { return m_size; }
    /// How many entries are in memory.
    int loaded() const;
    /// Null where the row is not in memory; otherwise it counts as used. The pointer lives until the next
    /// change.
    const Entry *find(int row);
    /// An entry that is in memory.
    const Entry &at(int row) const;
    QHash<ClientEntryId, int> rows() const;
    /// The page's worth of missing rows to read for \p row.
    Gap gapAt(int row) const;
    /// Takes in what was read for a gap. False, and nothing is taken, where it does not fit between its
    /// neighbours: the list changed without this window being told.
    bool fill(const Gap &gap, QList<Entry> entries);

    /// The row an entry with \p key has or would get; empty where that lies among rows not in memory.
    std::optional<int> placeOf(const EntryKey &key) const;

    void replace(int row, const Entry &entry);
    /// Rows that stand together in the list; they are in memory afterwards.
    void insert(int row, const QList<Entry> &entries);
    /// Rows of which nothing but the number is known.
    void insertUnread(int row, int count);
    void remove(int row, int count);
    /// Forgets all but the neighbouring pages around the one used last; the list keeps its length.
    /// Returns the first row in memory and how many there are.
    std::pair<int, int> keepRecent();

private:
    struct Page
    {
        int first = 0;
        QList<Entry> entries;
        quint64 usedAt = 0;

        int end() const { return first + static_cast<int>(entries.size()); }
    };
    using Pages = std::vector<Page>;

    Pages::const_iterator pageAtOrAbove(int row) const;
    Page &pageOf(int row);
    void shift(int row, int by);
    void splitLargePages();
    void forgetUnused();

    Pages m_pages; ///< by first row, never overlapping, never empty
    int m_size = 0;
    bool m_endKnown = true;
    quint64 m_uses = 0;
};

} // namespace daybook
