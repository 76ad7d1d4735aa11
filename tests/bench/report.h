#pragma once

#include "tests/bench/statistics.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QJsonObject>
#include <QList>
#include <QString>

namespace daybook {

/// One line of the table: a measure against its baseline in the same run.
struct TableRow
{
    QString measure; ///< `P1`
    QString work;
    QString unit; ///< of median, p99 and baseline
    double median = 0;
    double p99 = 0;
    double baseline = 0;
    double goal = 0; ///< the ratio must not exceed it

    double ratio() const { return baseline > 0 ? median / baseline : 0; }
    bool met() const { return ratio() <= goal; }
};

/// For people; widths fit the contents.
QString toTable(const QList<TableRow> &rows);
/// One object with all rows.
QByteArray toJson(const QList<TableRow> &rows);

/// The one line of a single measure: count, milliseconds, p50, p95, p99 and this process's peak memory.
QByteArray toJsonLine(qint64 count, double milliseconds, const Durations &durations);

inline double millisecondsOf(const QElapsedTimer &timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

/// Prints to standard output.
void print(const QString &text);

} // namespace daybook
