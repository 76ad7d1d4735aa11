#include "models/domain/logging.h"

namespace daybook {

Q_LOGGING_CATEGORY(lcStore, "daybook.store", QtInfoMsg)
Q_LOGGING_CATEGORY(lcSync, "daybook.sync", QtInfoMsg)
Q_LOGGING_CATEGORY(lcServer, "daybook.server", QtInfoMsg)
Q_LOGGING_CATEGORY(lcApp, "daybook.app", QtInfoMsg)

} // namespace daybook
