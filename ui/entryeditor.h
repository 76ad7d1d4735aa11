#pragma once

#include "models/domain/entry.h"

#include <QDialog>

class QLineEdit;
class QPlainTextEdit;

namespace daybook {

class CategoryEdit;
class MessageLine;
class TimeEdit;

/// Edits one entry: a value goes in, an EntryEdit comes out. It stays open, with all that was typed, until it
/// is told that the edit was saved.
class EntryEditor final : public QDialog
{
    Q_OBJECT

public:
    /// \p clock must outlive the dialog.
    EntryEditor(const Entry &entry, const QStringList &categories, const Clock &clock,
                QWidget *parent = nullptr);

    const ClientEntryId &entryId() const { return m_entry.id; }
    void showError(const QString &text);

Q_SIGNALS:
    void saveRequested(const daybook::EntryEdit &edit);

private:
    void save();
    QString note() const;

    Entry m_entry;
    QLineEdit *m_value;
    CategoryEdit *m_category;
    TimeEdit *m_time;
    QPlainTextEdit *m_note;
    MessageLine *m_error;
};

} // namespace daybook
