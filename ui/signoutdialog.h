#pragma once

#include "models/domain/account.h"

#include <QMessageBox>

namespace daybook {

/// Asks before signing out with unsynced work, with exact numbers. Accepted means: keep it here for this
/// account.
class SignOutDialog final : public QMessageBox
{
    Q_OBJECT

public:
    SignOutDialog(const Account &account, const QueueSummary &queue, QWidget *parent = nullptr);
};

} // namespace daybook
