#pragma once

#include "models/domain/result.h"

#include <QSqlError>

namespace daybook {

/// What an error of SQLite means to the program. The only place that knows SQLite's numbers.
Error storeError(const QSqlError &error);

/// A row that holds what this program never writes.
Error damagedRow(const QString &what);

} // namespace daybook
