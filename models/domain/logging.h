#pragma once

#include <QLoggingCategory>

namespace daybook {

// One category per room. Messages never hold a password, a token, a value or a note.
Q_DECLARE_LOGGING_CATEGORY(lcStore)
Q_DECLARE_LOGGING_CATEGORY(lcSync)
Q_DECLARE_LOGGING_CATEGORY(lcServer)
Q_DECLARE_LOGGING_CATEGORY(lcApp)

} // namespace daybook
