#pragma once

#include "models/domain/result.h"

#include <utility>

namespace daybook {

class Connection;

/// A write transaction. Passed to whatever writes, it says "you are inside one". Undone at the end of its
/// scope unless commit() succeeded. **Thread:** that of its connection.
class Transaction
{
public:
    /// Takes the write lock at once, so that what is read inside is what is decided upon. Waits for another
    /// writer as long as the connection's busy timeout, then StoreBusy.
    static Result<Transaction> begin(Connection &connection);
    ~Transaction();
    Transaction(Transaction &&other) noexcept;
    Transaction(const Transaction &) = delete;
    Transaction &operator=(const Transaction &) = delete;
    Transaction &operator=(Transaction &&) = delete;

    /// On success everything is on the disk; on failure nothing is.
    Result<void> commit();

private:
    explicit Transaction(Connection &connection) : m_connection(&connection) {}

    Connection *m_connection; ///< null once committed or moved from
};

/// What `Result<T> work(Transaction &)` makes of a transaction, committed where it succeeds and undone where
/// it fails.
template<typename Work>
auto inTransaction(Connection &connection, const Work &work)
{
    using Outcome = decltype(work(std::declval<Transaction &>()));
    auto transaction = Transaction::begin(connection);
    if (!transaction)
        return Outcome(transaction.error());
    Outcome outcome = work(*transaction);
    if (!outcome)
        return outcome;
    const Result<void> committed = transaction->commit();
    return committed ? outcome : Outcome(committed.error());
}

} // namespace daybook
