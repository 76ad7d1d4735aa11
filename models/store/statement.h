#pragma once

#include "models/domain/clock.h"
#include "models/domain/decimalvalue.h"
#include "models/domain/ids.h"
#include "models/domain/result.h"

#include <QList>
#include <QSqlQuery>
#include <QVariant>

#include <optional>
#include <type_traits>

namespace daybook {

class Connection;

// How values of the domain stand in a column: ids as 16 bytes, instants and lengths as milliseconds, decimal
// values as thousandths, enums as their number. Text is never NULL: a null QString is an empty text.
template<typename T>
QVariant toColumn(const T &value)
{
    if constexpr (std::is_enum_v<T>)
        return static_cast<int>(value);
    else
        return QVariant(value);
}
QVariant toColumn(const QString &text);
inline QVariant toColumn(const QByteArray &bytes) { return bytes.isNull() ? QByteArray("") : bytes; }
inline QVariant toColumn(QLatin1StringView text) { return QString(text); }
inline QVariant toColumn(std::nullopt_t) { return {}; }
inline QVariant toColumn(AccountId id) { return id.key(); }
inline QVariant toColumn(DecimalValue value) { return value.thousandths(); }
inline QVariant toColumn(Instant at) { return qint64(toEpochMilliseconds(at)); }
inline QVariant toColumn(Milliseconds length) { return qint64(length.count()); }
inline QVariant toColumn(std::chrono::minutes length) { return qint64(length.count()); }
template<typename Tag>
QVariant toColumn(const UuidId<Tag> &id)
{
    return id.uuid().toRfc4122();
}
template<typename T>
QVariant toColumn(const std::optional<T> &value)
{
    return value ? toColumn(*value) : QVariant();
}

/// One use of a prepared statement, which the connection keeps for the next use. Ends what it reads when it
/// goes, so that no read transaction stays open.
class Statement
{
public:
    Statement(Connection &connection, const QString &sql);
    ~Statement();
    Q_DISABLE_COPY_MOVE(Statement)

    template<typename... Values>
    void bind(const Values &...values)
    {
        int position = 0;
        (m_query.bindValue(position++, toColumn(values)), ...);
    }

    void bind(const QVariantList &values)
    {
        for (int position = 0; position < values.size(); ++position)
            m_query.bindValue(position, values[position]);
    }

    /// Executes a statement that returns no rows; how many rows it changed.
    Result<int> run();
    /// Executes on the first call; whether there is another row.
    Result<bool> next();

    bool isNull(int column) const { return m_query.isNull(column); }
    qint64 number(int column) const { return m_query.value(column).toLongLong(); }
    bool flag(int column) const { return number(column) != 0; }
    QString text(int column) const { return m_query.value(column).toString(); }
    QByteArray bytes(int column) const { return m_query.value(column).toByteArray(); }
    Instant instant(int column) const { return fromEpochMilliseconds(number(column)); }
    template<typename Id>
    Id id(int column) const
    {
        return Id(QUuid::fromRfc4122(bytes(column)));
    }
    std::optional<qint64> maybeNumber(int column) const
    {
        return isNull(column) ? std::nullopt : std::optional(number(column));
    }
    std::optional<Instant> maybeInstant(int column) const
    {
        return isNull(column) ? std::nullopt : std::optional(instant(column));
    }

private:
    Connection &m_connection;
    QString m_sql;
    QSqlQuery m_query;
    bool m_executed = false;
};

/// Executes one statement; how many rows it changed.
template<typename... Values>
Result<int> change(Connection &connection, const QString &sql, const Values &...values)
{
    Statement statement(connection, sql);
    statement.bind(values...);
    return statement.run();
}

/// change() where the number of rows does not matter.
template<typename... Values>
Result<void> execute(Connection &connection, const QString &sql, const Values &...values)
{
    const Result<int> changed = change(connection, sql, values...);
    return changed ? Result<void>() : Result<void>(changed.error());
}

/// All rows, each as \p read makes it of the statement: `Result<T> read(const Statement &)`.
template<typename Read, typename... Values>
auto selectAll(Connection &connection, const QString &sql, const Read &read, const Values &...values)
{
    using Row = std::decay_t<decltype(*read(std::declval<const Statement &>()))>;
    Statement statement(connection, sql);
    statement.bind(values...);
    QList<Row> rows;
    for (;;) {
        const Result<bool> more = statement.next();
        if (!more)
            return Result<QList<Row>>(more.error());
        if (!*more)
            return Result<QList<Row>>(rows);
        auto row = read(statement);
        if (!row)
            return Result<QList<Row>>(row.error());
        rows.append(*std::move(row));
    }
}

/// The first row, or nothing where there is none.
template<typename Read, typename... Values>
auto selectFirst(Connection &connection, const QString &sql, const Read &read, const Values &...values)
{
    using Row = std::decay_t<decltype(*read(std::declval<const Statement &>()))>;
    using Found = Result<std::optional<Row>>;
    Statement statement(connection, sql);
    statement.bind(values...);
    const Result<bool> found = statement.next();
    if (!found)
        return Found(found.error());
    if (!*found)
        return Found(std::optional<Row>());
    auto row = read(statement);
    return row ? Found(std::optional<Row>(*std::move(row))) : Found(row.error());
}

// Readers of one column.
inline Result<qint64> readNumber(const Statement &row) { return row.number(0); }
inline Result<QString> readText(const Statement &row) { return row.text(0); }

} // namespace daybook
