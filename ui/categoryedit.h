#pragma once

#include <QLineEdit>

class QStringListModel;

namespace daybook {

/// A line for the category that offers the earlier ones while one types. Enter takes an offer only where one
/// was chosen; otherwise it means what it means in the rest of the form.
class CategoryEdit final : public QLineEdit
{
    Q_OBJECT

public:
    explicit CategoryEdit(QWidget *parent = nullptr);
    void setCategories(const QStringList &categories);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QStringListModel *m_categories;
};

} // namespace daybook
