#include "models/items/entrytablemodel.h"

#include "models/items/recordedtext.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QSet>

#include <algorithm>
#include <limits>
#include <utility>

namespace daybook {

using namespace std::chrono_literals;

namespace {

/// From the first look at a row to the count: long enough for the first rows to be painted.
constexpr Milliseconds countDelay = 100ms;
/// How long rows that could not be read are left alone.
constexpr Milliseconds failureRest = 2s;
/// Refreshes asked for meanwhile are one.
constexpr Milliseconds refreshDelay = 50ms;
/// After a count there is none for this many times as long as it took, however long the list is.
constexpr int countRest = 50;
/// How many changed entries are read at once.
constexpr int changesAtOnce = 512;

QString columnText(const Entry &entry, int column)
{
    switch (column) {
    case EntryTableModel::Time: return recordedText(entry.fields.recordedAt, QLocale());
    case EntryTableModel::Category: return entry.fields.category;
    case EntryTableModel::Value: return entry.fields.value.toUserText(QLocale());
    case EntryTableModel::Note: return entry.fields.note.simplified();
    default: return {};
    }
}

} // namespace

EntryTableModel::EntryTableModel(const EntrySource &source, QObject *parent)
    : QAbstractTableModel(parent),
      m_source(source),
      m_countTimer(new QTimer(this)),
      m_refreshTimer(new QTimer(this))
{
    m_countTimer->setSingleShot(true);
    m_countTimer->setInterval(countDelay);
    connect(m_countTimer, &QTimer::timeout, this, &EntryTableModel::count);
    m_refreshTimer->setSingleShot(true);
    m_refreshTimer->setInterval(refreshDelay);
    connect(m_refreshTimer, &QTimer::timeout, this, &EntryTableModel::readAnew);
    reload();
}

void EntryTableModel::setFilter(const EntryFilter &filter)
{
    if (filter == m_filter)
        return;
    m_filter = filter;
    reload();
}

void EntryTableModel::reload()
{
    beginResetModel();
    const auto firstPage = m_source.entriesAfter(m_filter, {}, EntryWindow::pageSize);
    m_window.reset(firstPage ? *firstPage : QList<Entry>());
    m_outOfStep = false;
    endResetModel();
    if (!firstPage)
        report(firstPage.error());
    m_countTimer->setInterval(countDelay);
    m_countAtFirstLook = m_window.size() == EntryWindow::pageSize;
}

std::optional<Entry> EntryTableModel::entry(int row) const
{
    const Entry *found = read(row);
    return found ? std::optional(*found) : std::nullopt;
}

const Entry *EntryTableModel::read(int row) const
{
    if (std::exchange(m_countAtFirstLook, false))
        countSoon();
    if (const Entry *held = m_window.find(row))
        return held;
    if (m_outOfStep || row < 0 || row >= m_window.size())
        return nullptr;
    const EntryWindow::Gap gap = m_window.gapAt(row);
    const auto entries = gap.after || gap.first == 0 ? m_source.entriesAfter(m_filter, gap.after, gap.length)
                                                     : m_source.entriesFrom(m_filter, gap.first, gap.length);
    if (entries && m_window.fill(gap, *entries))
        return m_window.find(row);
    m_outOfStep = true;
    if (entries) {
        countSoon();
    } else {
        report(entries.error());
        m_countTimer->start(failureRest);
    }
    return nullptr;
}

/// Later, since the view that asked for the row is in the middle of painting.
void EntryTableModel::report(const Error &error) const
{
    auto *self = const_cast<EntryTableModel *>(this);
    QMetaObject::invokeMethod(
        self, [self, error] { Q_EMIT self->readFailed(error); }, Qt::QueuedConnection);
}

int EntryTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_window.size();
}

int EntryTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant EntryTableModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (index.column() == Value ? Qt::AlignRight : Qt::AlignLeft));
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
    if (!isText && (role < EntryRole || role > SyncStatusRole))
        return {};
    const Entry *entry = read(index.row());
    if (!entry)
        return {};
    switch (role) {
    case Qt::DisplayRole: return columnText(*entry, index.column());
    case Qt::ToolTipRole:
        return index.column() == Note ? entry->fields.note : columnText(*entry, index.column());
    case EntryRole: return QVariant::fromValue(*entry);
    case IdRole: return QVariant::fromValue(entry->id);
    case KeyRole: return QVariant::fromValue(keyOf(*entry));
    default: return QVariant::fromValue(entry->sync);
    }
}

QVariant EntryTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant(Qt::AlignVCenter | (section == Value ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Badge: return tr("Sync");
    case Time: return tr("Time");
    case Category: return tr("Category");
    case Value: return tr("Value");
    case Note: return tr("Note");
    default: return {};
    }
}

void EntryTableModel::entriesChanged(const QList<ClientEntryId> &ids)
{
    for (qsizetype first = 0; first < ids.size(); first += changesAtOnce)
        apply(ids.sliced(first, std::min<qsizetype>(changesAtOnce, ids.size() - first)));
}

void EntryTableModel::refresh()
{
    if (!m_refreshTimer->isActive())
        m_refreshTimer->start();
}

void EntryTableModel::readAnew()
{
    const auto firstPage = m_source.entriesAfter(m_filter, {}, EntryWindow::pageSize);
    if (!firstPage) {
        report(firstPage.error());
        return;
    }
    QHash<ClientEntryId, int> ids = m_window.rows();
    for (const Entry &entry : *firstPage)
        ids.insert(entry.id, 0);
    entriesChanged(ids.keys());
    countSoon();
}

void EntryTableModel::apply(const QList<ClientEntryId> &ids)
{
    const auto shown = m_source.entriesById(m_filter, ids);
    if (!shown) {
        report(shown.error());
        return;
    }
    const QHash<ClientEntryId, int> held = m_window.rows();
    QSet<ClientEntryId> hidden(ids.begin(), ids.end());
    QList<int> replaced;
    QList<Entry> moved;
    QList<Entry> arrived;
    for (const Entry &entry : *shown) {
        hidden.remove(entry.id);
        const int row = held.value(entry.id, -1);
        if (row < 0) {
            arrived.append(entry);
        } else if (keyOf(m_window.at(row)) != keyOf(entry)) {
            moved.append(entry);
        } else if (m_window.at(row) != entry) {
            m_window.replace(row, entry);
            replaced.append(row);
        }
    }
    // Only now, since whoever hears it may read other rows, for which some of these are forgotten.
    for (const int row : replaced)
        rowChanged(row);
    QList<int> gone;
    for (const ClientEntryId &id : hidden) {
        if (const int row = held.value(id, -1); row >= 0)
            gone.append(row);
    }
    removeHeldRows(gone);
    for (const Entry &entry : moved)
        moveEntry(entry);
    const bool allPlaced = insertEntries(arrived);
    if (!allPlaced || gone.size() < hidden.size() || m_outOfStep)
        countSoon();
}

void EntryTableModel::rowChanged(int row) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); }

void EntryTableModel::removeHeldRows(QList<int> rows)
{
    std::sort(rows.begin(), rows.end());
    while (!rows.isEmpty()) {
        const int last = rows.takeLast();
        int first = last;
        while (!rows.isEmpty() && rows.last() == first - 1)
            first = rows.takeLast();
        beginRemoveRows({}, first, last);
        m_window.remove(first, last - first + 1);
        endRemoveRows();
    }
}

void EntryTableModel::moveEntry(const Entry &entry)
{
    const int from = m_window.rows().value(entry.id, -1);
    if (from < 0) { // an earlier move took the room of its page: where it stood is not known any more
        insertEntries({entry});
        m_outOfStep = true;
        countSoon();
        return;
    }
    std::optional<int> to = m_window.placeOf(keyOf(entry));
    if (!to) {
        const auto before = m_source.entriesBefore(m_filter, keyOf(entry));
        if (!before) {
            report(before.error());
            removeHeldRows({from});
            countSoon();
            return;
        }
        const int row = std::min(static_cast<int>(*before), m_window.size() - 1);
        to = row > from ? row + 1 : row;
    }
    if (*to == from || *to == from + 1) {
        m_window.replace(from, entry);
        rowChanged(from);
        return;
    }
    const int row = *to > from ? *to - 1 : *to;
    beginMoveRows({}, from, from, {}, *to);
    m_window.remove(from, 1);
    m_window.insert(row, {entry});
    endMoveRows();
    rowChanged(row);
}

bool EntryTableModel::insertEntries(QList<Entry> entries)
{
    std::sort(entries.begin(), entries.end(),
              [](const Entry &a, const Entry &b) { return comesBefore(keyOf(a), keyOf(b)); });
    bool allPlaced = true;
    for (qsizetype first = 0, end = 0; first < entries.size(); first = end) {
        const std::optional<int> row = m_window.placeOf(keyOf(entries[first]));
        for (end = first + 1; end < entries.size() && m_window.placeOf(keyOf(entries[end])) == row;)
            ++end;
        allPlaced = allPlaced && row;
        if (!row)
            continue;
        beginInsertRows({}, *row, *row + static_cast<int>(end - first) - 1);
        m_window.insert(*row, entries.sliced(first, end - first));
        endInsertRows();
    }
    return allPlaced;
}

void EntryTableModel::countSoon() const
{
    if (!m_countTimer->isActive())
        m_countTimer->start();
}

void EntryTableModel::count()
{
    QElapsedTimer timer;
    timer.start();
    const auto total = m_source.entryCount(m_filter);
    if (!total) {
        report(total.error());
        return;
    }
    m_countTimer->setInterval(std::max(countDelay, Milliseconds(timer.elapsed()) * countRest));
    const int wanted = static_cast<int>(std::min<qint64>(*total, std::numeric_limits<int>::max()));
    const bool wasOutOfStep = m_outOfStep;
    if ((wasOutOfStep || wanted != m_window.size()) && !realign(wanted)) {
        reload();
        return;
    }
    m_window.setEndKnown();
    m_outOfStep = false;
    if (wasOutOfStep && wanted > 0) // rows were shown empty meanwhile
        Q_EMIT dataChanged(index(0, 0), index(wanted - 1, ColumnCount - 1));
}

/// False where what is in memory is not what the source has there. Otherwise it stays as it is; above and
/// below it stand as many unread rows as the source says. Which of those came or went cannot be known, so a
/// selection among them is dropped rather than moved by guess.
bool EntryTableModel::realign(int wanted)
{
    const auto [first, held] = m_window.keepRecent();
    int above = 0;
    if (held > 0) {
        const auto before = m_source.entriesBefore(m_filter, keyOf(m_window.at(first)));
        const auto last = m_source.entriesBefore(m_filter, keyOf(m_window.at(first + held - 1)));
        if (!before || !last || *last != *before + held - 1 || *last >= wanted)
            return false;
        above = static_cast<int>(*before);
    }
    setUnreadRows(first + held, m_window.size() - first - held, wanted - above - held);
    setUnreadRows(0, first, above);
    return true;
}

void EntryTableModel::setUnreadRows(int first, int count, int wanted)
{
    if (count == wanted)
        return;
    if (count > 0) {
        beginRemoveRows({}, first, first + count - 1);
        m_window.remove(first, count);
        endRemoveRows();
    }
    if (wanted > 0) {
        beginInsertRows({}, first, first + wanted - 1);
        m_window.insertUnread(first, wanted);
        endInsertRows();
    }
}

} // namespace daybook
