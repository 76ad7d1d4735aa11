#include "ui/signoutdialog.h"

#include <QLocale>
#include <QPushButton>

namespace daybook {

SignOutDialog::SignOutDialog(const Account &account, const QueueSummary &queue, QWidget *parent)
    : QMessageBox(parent)
{
    setIcon(Warning);
    setWindowTitle(tr("Sign out"));
    setText(queue.unfinished() == 1
                ? tr("1 change has not reached the server.")
                : tr("%1 changes have not reached the server.").arg(locale().toString(queue.unfinished())));
    const auto line = [this](const QString &text, qint64 count) {
        return count > 0 ? QStringLiteral("\n• ") + text.arg(locale().toString(count)) : QString();
    };
    setInformativeText(
        tr("They stay on this computer for %1.").arg(account.username) +
        line(tr("Sent after the next sign-in: %1"), queue.waiting()) +
        line(tr("Not sent before you decide about them: %1"), queue.needAttention() + queue.conflict));
    auto *keep = addButton(tr("&Keep here and sign out"), AcceptRole);
    addButton(Cancel);
    setDefaultButton(keep);
}

} // namespace daybook
