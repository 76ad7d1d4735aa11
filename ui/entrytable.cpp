#include "ui/entrytable.h"

#include "models/items/entrytablemodel.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace daybook {

namespace {

/// Cells with room at both sides, so that a number at the right edge does not touch the text that follows.
class RoomyDelegate final : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override
    {
        const int room = option.fontMetrics.averageCharWidth() / 2;
        option.widget->style()->drawPrimitive(QStyle::PE_PanelItemViewItem, &option, painter, option.widget);
        QStyleOptionViewItem inner = option;
        inner.rect.adjust(room, 0, -room, 0);
        QStyledItemDelegate::paint(painter, inner, index);
    }
};

} // namespace

EntryTable::EntryTable(QWidget *parent) : QTableView(parent), m_empty(new QLabel)
{
    setItemDelegate(new RoomyDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setTabKeyNavigation(false);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollMode(ScrollPerPixel);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setCornerButtonEnabled(false);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(tr("Entries"));
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(false);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        m_widthsChosen = m_widthsChosen || (!m_dividing && column != EntryTableModel::Note);
    });
    connect(this, &QTableView::doubleClicked, this, &EntryTable::openRequested);

    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setForegroundRole(QPalette::PlaceholderText);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    auto *middle = new QVBoxLayout(viewport());
    middle->addWidget(m_empty);
    adaptToFont();
}

void EntryTable::setModel(QAbstractItemModel *model)
{
    QTableView::setModel(model);
    // After the view's own connections, so that its geometry is that of the changed rows already.
    for (const auto about :
         {&QAbstractItemModel::rowsAboutToBeInserted, &QAbstractItemModel::rowsAboutToBeRemoved})
        connect(model, about, this, &EntryTable::keepPlace);
    for (const auto done : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(model, done, this, &EntryTable::restorePlace);
    connect(model, &QAbstractItemModel::rowsAboutToBeMoved, this, &EntryTable::keepPlace);
    connect(model, &QAbstractItemModel::rowsMoved, this, &EntryTable::restorePlace);
    connect(model, &QAbstractItemModel::modelReset, this, &EntryTable::showEmptyText);
    connect(model, &QAbstractItemModel::dataChanged, this, &EntryTable::selectionChangedOrUpdated);
    connect(model, &QAbstractItemModel::modelReset, this, &EntryTable::selectionChangedOrUpdated);
    showEmptyText();
}

void EntryTable::setEmptyText(const QString &text) { m_empty->setText(text); }

void EntryTable::showEmptyText()
{
    m_empty->setVisible(!model() || model()->rowCount() == 0);
    divideWidth();
}

int EntryTable::selectedCount() const
{
    int count = 0;
    if (selectionModel()) {
        for (const QItemSelectionRange &range : selectionModel()->selection())
            count += range.height();
    }
    return count;
}

QList<Entry> EntryTable::selectedEntries() const
{
    QList<int> rows;
    for (const QItemSelectionRange &range : selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    QList<Entry> entries;
    for (const int row : rows) {
        const QVariant entry = model()->index(row, 0).data(EntryTableModel::EntryRole);
        if (entry.isValid())
            entries.append(entry.value<Entry>());
    }
    return entries;
}

void EntryTable::selectionChanged(const QItemSelection &selected, const QItemSelection &deselected)
{
    QTableView::selectionChanged(selected, deselected);
    Q_EMIT selectionChangedOrUpdated();
}

void EntryTable::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        Q_EMIT openRequested();
    else
        QTableView::keyPressEvent(event);
}

void EntryTable::keepPlace()
{
    const int value = verticalScrollBar()->value();
    m_top = value > 0 ? model()->index(rowAt(0), 0) : QModelIndex();
    m_topOffset = m_top.isValid() ? value - verticalHeader()->sectionPosition(m_top.row()) : 0;
}

void EntryTable::restorePlace()
{
    showEmptyText();
    if (!m_top.isValid())
        return;
    updateGeometries(); // the scroll bar's range is otherwise still that of before
    verticalScrollBar()->setValue(verticalHeader()->sectionPosition(m_top.row()) + m_topOffset);
    m_top = QModelIndex();
}

void EntryTable::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    divideWidth();
}

void EntryTable::changeEvent(QEvent *event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        adaptToFont();
}

void EntryTable::adaptToFont()
{
    const int icon = style()->pixelMetric(QStyle::PM_SmallIconSize, nullptr, this);
    setIconSize({icon, icon});
    verticalHeader()->setDefaultSectionSize(std::max(fontMetrics().height(), icon) +
                                            fontMetrics().height() / 2);
    divideWidth();
}

/// Time and value get what they need, badge and category share with the note what is left.
void EntryTable::divideWidth()
{
    if (m_widthsChosen || !model() || model()->columnCount() < EntryTableModel::ColumnCount)
        return;
    m_dividing = true;
    const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
    const int width = viewport()->width();
    const bool roomForOffset = width > 100 * digit;
    setColumnWidth(EntryTableModel::Badge, std::clamp(width * 27 / 100, 18 * digit, 32 * digit));
    setColumnWidth(EntryTableModel::Time, (roomForOffset ? 28 : 18) * digit);
    setColumnWidth(EntryTableModel::Category, std::clamp(width * 18 / 100, 12 * digit, 32 * digit));
    setColumnWidth(EntryTableModel::Value, std::clamp(width * 14 / 100, 11 * digit, 18 * digit));
    horizontalHeader()->setSectionResizeMode(EntryTableModel::Note, QHeaderView::Stretch);
    m_dividing = false;
}

} // namespace daybook
