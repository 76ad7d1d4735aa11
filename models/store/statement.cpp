#include "models/store/statement.h"

#include "models/store/connection.h"
#include "models/store/storeerror.h"

#include <QSqlError>

#include <utility>

namespace daybook {

/// SQLite takes one byte order mark off the UTF-16 it is given: text that begins like one gets it to lose.
QVariant toColumn(const QString &text)
{
    if (text.isNull())
        return QString(QLatin1String(""));
    return text.startsWith(QChar(0xFEFF)) || text.startsWith(QChar(0xFFFE)) ? QChar(0xFEFF) + text : text;
}

Statement::Statement(Connection &connection, const QString &sql)
    : m_connection(connection),
      m_sql(sql),
      m_query(connection.takePrepared(sql))
{
}

Statement::~Statement()
{
    m_query.finish();
    m_connection.giveBack(m_sql, std::move(m_query));
}

Result<int> Statement::run()
{
    if (!m_query.exec())
        return storeError(m_query.lastError());
    return m_query.numRowsAffected();
}

Result<bool> Statement::next()
{
    if (!m_executed && !m_query.exec())
        return storeError(m_query.lastError());
    m_executed = true;
    if (m_query.next())
        return true;
    if (m_query.lastError().isValid())
        return storeError(m_query.lastError());
    return false;
}

} // namespace daybook
