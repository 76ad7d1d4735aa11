#pragma once

#include "models/domain/result.h"

#include <QByteArray>
#include <QString>

namespace daybook {

class DataFolder;

// Single measures on a data folder, which is made where it is missing. Each gives the line to print.
Result<QByteArray> fill(const DataFolder &folder, qint64 count);
Result<QByteArray> save(const DataFolder &folder, qint64 count);
Result<QByteArray> firstRows(const DataFolder &folder);

} // namespace daybook
