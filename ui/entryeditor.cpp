#include "ui/entryeditor.h"

#include "ui/categoryedit.h"
#include "ui/fieldreader.h"
#include "ui/messageline.h"
#include "ui/timeedit.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QPlainTextEdit>
#include <QPushButton>

namespace daybook {

EntryEditor::EntryEditor(const Entry &entry, const QStringList &categories, const Clock &clock,
                         QWidget *parent)
    : QDialog(parent),
      m_entry(entry),
      m_value(new QLineEdit),
      m_category(new CategoryEdit),
      m_time(new TimeEdit(clock)),
      m_note(new QPlainTextEdit),
      m_error(new MessageLine)
{
    setWindowTitle(tr("Edit entry"));
    m_value->setText(entry.fields.value.toUserText(locale()));
    m_category->setCategories(categories);
    m_category->setText(entry.fields.category);
    m_time->setRecordedAt(entry.fields.recordedAt);
    m_note->setPlainText(entry.fields.note);
    m_note->setTabChangesFocus(true);

    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &EntryEditor::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);

    auto *form = new QFormLayout(this);
    const auto addField = [form](const QString &label, QWidget *field, const QString &name) {
        field->setAccessibleName(name);
        form->addRow(label, field);
    };
    addField(tr("&Value"), m_value, tr("Value"));
    addField(tr("&Category"), m_category, tr("Category"));
    addField(tr("&Time"), m_time, tr("Time"));
    m_time->setAccessibleNames(tr("Time"));
    addField(tr("&Note"), m_note, tr("Note"));
    form->addRow(m_error);
    form->addRow(buttons);
    m_value->selectAll();
}

void EntryEditor::showError(const QString &text) { m_error->show(text); }

/// The note as it was, to the last character, unless somebody typed in it: the widget would make a plain
/// space of a no-break space and a line feed of a carriage return.
QString EntryEditor::note() const
{
    if (!m_note->document()->isModified())
        return m_entry.fields.note;
    return m_note->document()->toRawText().replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
}

void EntryEditor::save()
{
    const auto read =
        readFields({m_value->text(), m_time->recordedAt(), m_category->text(), note()}, locale());
    if (const auto *wrong = std::get_if<FieldError>(&read)) {
        showError(wrong->text);
        switch (wrong->field) {
        case EntryField::Value: m_value->setFocus(); break;
        case EntryField::RecordedAt: m_time->setFocus(); break;
        case EntryField::Category: m_category->setFocus(); break;
        case EntryField::Note: m_note->setFocus(); break;
        }
        return;
    }
    m_error->clear();
    const auto baseVersion = m_entry.server ? std::optional(m_entry.server->version) : std::nullopt;
    Q_EMIT saveRequested({m_entry.id, m_entry.fields, baseVersion, std::get<EntryFields>(read)});
}

} // namespace daybook
