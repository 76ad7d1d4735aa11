#include "ui/quickentry.h"

#include "ui/categoryedit.h"
#include "ui/fieldreader.h"
#include "ui/messageline.h"
#include "ui/timeedit.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

namespace daybook {

QuickEntry::QuickEntry(const Clock &clock, QWidget *parent)
    : QWidget(parent),
      m_value(new QLineEdit),
      m_category(new CategoryEdit),
      m_time(new TimeEdit(clock)),
      m_note(new QLineEdit),
      m_save(new QPushButton(tr("&Save"))),
      m_error(new MessageLine)
{
    auto *grid = new QGridLayout(this);
    grid->setVerticalSpacing(2);
    const auto addField = [this, grid](int column, const QString &label, QWidget *field,
                                       const QString &name) {
        auto *caption = new QLabel(label);
        caption->setBuddy(field);
        field->setAccessibleName(name);
        grid->addWidget(caption, 0, column);
        grid->addWidget(field, 1, column);
        if (auto *line = qobject_cast<QLineEdit *>(field))
            connect(line, &QLineEdit::textEdited, m_error, &MessageLine::clear);
    };
    addField(0, tr("&Value"), m_value, tr("Value of the new entry"));
    addField(1, tr("&Category"), m_category, tr("Category of the new entry"));
    addField(2, tr("&Time"), m_time, tr("Time of the new entry"));
    addField(3, tr("&Note"), m_note, tr("Note of the new entry"));
    // Found by these names in tests and by the guided tour.
    m_value->setObjectName(QStringLiteral("quickEntryValue"));
    m_category->setObjectName(QStringLiteral("quickEntryCategory"));
    m_time->setObjectName(QStringLiteral("quickEntryTime"));
    m_note->setObjectName(QStringLiteral("quickEntryNote"));
    m_time->setAccessibleNames(m_time->accessibleName());
    m_value->setAlignment(Qt::AlignRight);
    m_value->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000000000000")));
    m_value->setPlaceholderText(DecimalValue::fromThousandths(0)->toUserText(locale()));
    m_save->setToolTip(tr("Save the entry (Enter)"));
    grid->addWidget(m_save, 1, 4);
    grid->addWidget(m_error, 2, 0, 1, 5);
    grid->setColumnStretch(0, 2);
    grid->setColumnStretch(1, 3);
    grid->setColumnStretch(3, 5);

    connect(m_save, &QPushButton::clicked, this, &QuickEntry::save);
    setFocusProxy(m_value);
    m_time->followClock();
}

void QuickEntry::setCategories(const QStringList &categories) { m_category->setCategories(categories); }

void QuickEntry::clear()
{
    for (QLineEdit *line : {m_value, static_cast<QLineEdit *>(m_category), m_note})
        line->clear();
    m_error->clear();
    m_time->followClock();
    m_value->setFocus();
}

void QuickEntry::showError(const QString &text) { m_error->show(text); }

QWidget *QuickEntry::widgetOf(EntryField field) const
{
    switch (field) {
    case EntryField::Value: return m_value;
    case EntryField::RecordedAt: return m_time;
    case EntryField::Category: return m_category;
    case EntryField::Note: break;
    }
    return m_note;
}

void QuickEntry::save()
{
    const auto read =
        readFields({m_value->text(), m_time->recordedAt(), m_category->text(), m_note->text()}, locale());
    if (const auto *wrong = std::get_if<FieldError>(&read)) {
        showError(wrong->text);
        widgetOf(wrong->field)->setFocus();
        return;
    }
    m_error->clear();
    Q_EMIT saveRequested(std::get<EntryFields>(read));
}

/// Fields hand on the Enter they have no use for.
void QuickEntry::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        save();
    else
        QWidget::keyPressEvent(event);
}

} // namespace daybook
