#pragma once

#include "models/domain/result.h"
#include "tests/bench/report.h"

#include <QDir>

namespace daybook {

/// How much is measured. The sizes are those the goals are stated for; `--quick` takes smaller ones.
struct Scale
{
    int saves = 2'000;
    QList<qint64> entries = {10'000, 100'000, 1'000'000};
    int openings = 21;
    QList<qint64> operations = {100'000, 1'000'000};
    int leases = 500;

    static Scale quick() { return {300, {1'000, 10'000, 100'000}, 9, {1'000, 10'000}, 100}; }
};

// Each measures into stores of its own inside \p folder and gives the rows of the table.
Result<QList<TableRow>> measureSaves(const QDir &folder, const Scale &scale);     ///< P1
Result<QList<TableRow>> measureFirstRows(const QDir &folder, const Scale &scale); ///< P3
Result<QList<TableRow>> measureLeases(const QDir &folder, const Scale &scale);    ///< P4

} // namespace daybook
