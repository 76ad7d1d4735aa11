#include "tests/bench/report.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTextStream>

#include <algorithm>
#include <array>

namespace daybook {

namespace {

QString number(double value) { return QString::number(value, 'f', 2); }

double rounded(double value) { return number(value).toDouble(); }

/// The most memory this process ever had, in bytes. 0 where the system does not say.
qint64 peakMemoryBytes()
{
    QFile status(QStringLiteral("/proc/self/status"));
    if (!status.open(QIODevice::ReadOnly))
        return 0;
    for (const QByteArray &line : status.readAll().split('\n'))
        if (line.startsWith("VmHWM:"))
            return line.mid(6).chopped(2).trimmed().toLongLong() * 1024;
    return 0;
}

QJsonObject toObject(const TableRow &row)
{
    return {{QStringLiteral("measure"), row.measure},
            {QStringLiteral("work"), row.work},
            {QStringLiteral("unit"), row.unit},
            {QStringLiteral("median"), rounded(row.median)},
            {QStringLiteral("p99"), rounded(row.p99)},
            {QStringLiteral("baseline"), rounded(row.baseline)},
            {QStringLiteral("ratio"), rounded(row.ratio())},
            {QStringLiteral("goal"), row.goal},
            {QStringLiteral("met"), row.met()}};
}

} // namespace

QString toTable(const QList<TableRow> &rows)
{
    constexpr int columns = 8;
    using Line = std::array<QString, columns>;
    QList<Line> lines{{QStringLiteral("#"), QStringLiteral("work"), QStringLiteral("median"),
                       QStringLiteral("p99"), QStringLiteral("baseline"), QStringLiteral("ratio"),
                       QStringLiteral("goal"), QString()}};
    for (const TableRow &row : rows) {
        const QString unit = QLatin1Char(' ') + row.unit;
        lines.append({row.measure, row.work, number(row.median) + unit, number(row.p99) + unit,
                      number(row.baseline) + unit, number(row.ratio()), number(row.goal),
                      row.met() ? QStringLiteral("met") : QStringLiteral("missed")});
    }
    std::array<qsizetype, columns> widths{};
    for (const Line &line : lines)
        for (size_t column = 0; column < line.size(); ++column)
            widths.at(column) = std::max(widths.at(column), line.at(column).size());
    QString text;
    for (const Line &line : lines) {
        QString joined;
        for (size_t column = 0; column < line.size(); ++column) {
            const auto width = static_cast<int>(widths.at(column));
            const bool words = column < 2 || column + 1 == line.size();
            joined += words ? line.at(column).leftJustified(width) : line.at(column).rightJustified(width);
            joined += QLatin1String("  ");
        }
        text += joined.trimmed() + QLatin1Char('\n');
    }
    return text;
}

QByteArray toJson(const QList<TableRow> &rows)
{
    QJsonArray array;
    for (const TableRow &row : rows)
        array.append(toObject(row));
    return QJsonDocument(QJsonObject{{QStringLiteral("rows"), array}}).toJson();
}

QByteArray toJsonLine(qint64 count, double milliseconds, const Durations &durations)
{
    const QJsonObject line{{QStringLiteral("count"), count},
                           {QStringLiteral("milliseconds"), rounded(milliseconds)},
                           {QStringLiteral("p50"), rounded(durations.percentile(50))},
                           {QStringLiteral("p95"), rounded(durations.percentile(95))},
                           {QStringLiteral("p99"), rounded(durations.percentile(99))},
                           {QStringLiteral("peakMemoryBytes"), peakMemoryBytes()}};
    return QJsonDocument(line).toJson(QJsonDocument::Compact) + '\n';
}

void print(const QString &text) { QTextStream(stdout) << text << Qt::flush; }

} // namespace daybook
