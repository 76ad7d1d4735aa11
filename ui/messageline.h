#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace daybook {

/// A sentence about what went wrong, in the form it belongs to. Takes no room while there is none, and is
/// read out by screen readers when it comes.
class MessageLine final : public QWidget
{
    Q_OBJECT

public:
    enum class Closing { ByForm, ByPerson };

    explicit MessageLine(Closing closing = Closing::ByForm, QWidget *parent = nullptr);
    QString text() const;

public Q_SLOTS:
    void show(const QString &text);
    void clear();

private:
    QLabel *m_text;
};

} // namespace daybook
