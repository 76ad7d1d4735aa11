#pragma once

#include "models/items/entrywindow.h"

#include <QAbstractTableModel>
#include <QTimer>

namespace daybook {

/// The entries of one account, newest first, as a table that never holds more than a window of them. The
/// first page is there at once; how many rows follow is learnt a moment after somebody looked at it.
/// **Thread:** that of its source, which must outlive it.
class EntryTableModel final : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Badge, Time, Category, Value, Note, ColumnCount };
    enum Role {
        EntryRole = Qt::UserRole, ///< the whole daybook::Entry
        IdRole,                   ///< daybook::ClientEntryId
        KeyRole,                  ///< daybook::EntryKey
        SyncStatusRole,           ///< daybook::SyncStatus
    };

    explicit EntryTableModel(const EntrySource &source, QObject *parent = nullptr);

    const EntryFilter &filter() const { return m_filter; }
    void setFilter(const EntryFilter &filter);

    /// Reads the row if it is not in memory; empty where that fails.
    std::optional<Entry> entry(int row) const;
    /// How many entries are in memory.
    int loadedRows() const { return m_window.loaded(); }

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

public Q_SLOTS:
    /// These entries were added, edited, deleted or got another badge. Rows in memory change one by one, and
    /// only those that have to; what became of rows not in memory is found out by counting, a little later.
    void entriesChanged(const QList<daybook::ClientEntryId> &ids);
    /// Something changed that nobody named, in another process say: the rows in memory and the newest entries
    /// are compared with the source as in entriesChanged(), a little later.
    void refresh();

Q_SIGNALS:
    /// The source could not be read; rows may be missing until the next change.
    void readFailed(const daybook::Error &error);

private:
    const Entry *read(int row) const;
    void report(const Error &error) const;
    void reload();
    void apply(const QList<ClientEntryId> &ids);
    void rowChanged(int row);
    void removeHeldRows(QList<int> rows);
    void moveEntry(const Entry &entry);
    bool insertEntries(QList<Entry> entries);
    void countSoon() const;
    void count();
    void readAnew();
    bool realign(int wanted);
    void setUnreadRows(int first, int count, int wanted);

    const EntrySource &m_source;
    EntryFilter m_filter;
    mutable EntryWindow m_window;
    mutable bool m_outOfStep = false; ///< the list changed unheard: nothing is read before the next count()
    mutable bool m_countAtFirstLook = false; ///< so that the first paint never waits for a count
    QTimer *m_countTimer;                    ///< coalesces counts, which walk the whole index
    QTimer *m_refreshTimer;
};

} // namespace daybook

Q_DECLARE_METATYPE(daybook::EntryKey)
