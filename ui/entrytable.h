#pragma once

#include "models/domain/entry.h"

#include <QTableView>

class QLabel;

namespace daybook {

/// The list of entries. While entries come and go above what is looked at, that stays where it is on the
/// screen; at the top new entries come into view.
class EntryTable final : public QTableView
{
    Q_OBJECT

public:
    explicit EntryTable(QWidget *parent = nullptr);

    void setModel(QAbstractItemModel *model) override;
    /// What an empty list says.
    void setEmptyText(const QString &text);

    int selectedCount() const;
    /// The selected entries, newest first; reads those that are not in memory.
    QList<Entry> selectedEntries() const;

    /// Nothing: it would read the whole list to find what begins with a letter.
    void keyboardSearch(const QString &) override {}

Q_SIGNALS:
    void openRequested(); ///< double click or Enter on an entry
    void selectionChangedOrUpdated();

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void selectionChanged(const QItemSelection &selected, const QItemSelection &deselected) override;

private:
    void keepPlace();
    void restorePlace();
    void showEmptyText();
    void adaptToFont();
    void divideWidth();

    QLabel *m_empty;
    QPersistentModelIndex m_top; ///< the row at the top while rows change above it
    int m_topOffset = 0;
    bool m_dividing = false;
    bool m_widthsChosen = false; ///< the person set a column's width
};

} // namespace daybook
