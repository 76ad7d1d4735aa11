#include "models/store/transaction.h"

#include "models/domain/logging.h"
#include "models/store/statement.h"

#include <utility>

namespace daybook {

Result<Transaction> Transaction::begin(Connection &connection)
{
    if (const auto begun = execute(connection, QStringLiteral("BEGIN IMMEDIATE")); !begun)
        return begun.error();
    return Transaction(connection);
}

Transaction::Transaction(Transaction &&other) noexcept
    : m_connection(std::exchange(other.m_connection, nullptr))
{
}

Transaction::~Transaction()
{
    if (m_connection == nullptr)
        return;
    // A full disk may have made SQLite roll back by itself; then there is nothing left to undo.
    if (const auto undone = execute(*m_connection, QStringLiteral("ROLLBACK")); !undone)
        qCDebug(lcStore, "rollback: %ls", qUtf16Printable(undone.error().detail));
}

Result<void> Transaction::commit()
{
    if (const auto committed = execute(*m_connection, QStringLiteral("COMMIT")); !committed)
        return committed.error();
    m_connection = nullptr;
    return {};
}

} // namespace daybook
