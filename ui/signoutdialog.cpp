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
        tr("They stay on this computer for %1 and are sent after the next sign-in.").arg(account.username) +
        line(tr("Waiting to be sent: %1"), queue.waiting()) +
        line(tr("Need attention: %1"), queue.needAttention()) + line(tr("Conflicts: %1"), queue.conflict));
    auto *keep = addButton(tr("&Keep here and sign out"), AcceptRole);
    addButton(Cancel);
    setDefaultButton(keep);
}

} // namespace daybook
