#include "models/store/statement.h"

#include "models/store/connection.h"
#include "models/store/storeerror.h"

#include <QSqlError>

#include <utility>

namespace daybook {

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
