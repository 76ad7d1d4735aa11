#include "ui/categoryedit.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QStringListModel>

namespace daybook {

CategoryEdit::CategoryEdit(QWidget *parent) : QLineEdit(parent), m_categories(new QStringListModel(this))
{
    auto *completer = new QCompleter(m_categories, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    completer->popup()->installEventFilter(this);
    setCompleter(completer);
}

void CategoryEdit::setCategories(const QStringList &categories)
{
    if (categories != m_categories->stringList())
        m_categories->setStringList(categories);
}

bool CategoryEdit::eventFilter(QObject *watched, QEvent *event)
{
    auto *popup = completer()->popup();
    if (watched != popup || event->type() != QEvent::KeyPress || popup->currentIndex().isValid())
        return QLineEdit::eventFilter(watched, event);
    const auto *key = static_cast<QKeyEvent *>(event);
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return QLineEdit::eventFilter(watched, event);
    popup->hide();
    QCoreApplication::postEvent(this, key->clone());
    return true;
}

} // namespace daybook
