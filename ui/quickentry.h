#pragma once

#include "models/domain/entry.h"
#include "models/domain/merge.h"

#include <QWidget>

class QLineEdit;
class QPushButton;

namespace daybook {

class CategoryEdit;
class MessageLine;
class TimeEdit;

/// The row an entry is typed into. Enter in any field saves; until the answer is success everything typed
/// stays.
class QuickEntry final : public QWidget
{
    Q_OBJECT

public:
    /// \p clock must outlive the row.
    explicit QuickEntry(const Clock &clock, QWidget *parent = nullptr);

    void setCategories(const QStringList &categories);
    /// Ready for the next entry: everything empty, the time follows the clock again.
    void clear();
    void showError(const QString &text);

Q_SIGNALS:
    void saveRequested(const daybook::EntryFields &fields);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    void save();
    QWidget *widgetOf(EntryField field) const;

    QLineEdit *m_value;
    CategoryEdit *m_category;
    TimeEdit *m_time;
    QLineEdit *m_note;
    QPushButton *m_save;
    MessageLine *m_error;
};

} // namespace daybook
