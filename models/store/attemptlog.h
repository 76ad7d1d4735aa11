#pragma once

#include "models/domain/account.h"
#include "models/domain/attempt.h"
#include "models/domain/result.h"

#include <QList>

namespace daybook {

class Connection;
class Transaction;
struct AttemptEnd;

/// What the attempts of an operation tell about where it is.
struct AttemptTraces
{
    bool answered = false;       ///< the server said whether it has it: confirmed, or in conflict
    bool mayHaveArrived = false; ///< an attempt without an answer of the server may have been executed there
    int refusals = 0;
};

/// Every transmission of every operation of one account. **Thread:** that of its connection.
class AttemptLog
{
public:
    AttemptLog(Connection &connection, AccountId account) : m_connection(connection), m_account(account) {}

    Result<void> open(Transaction &, const OperationId &id, int number, AttemptTrigger trigger, Instant now);
    /// Writes how it ended. What is written stays, except that a confirmation may come after the lease ran
    /// out.
    Result<void> close(Transaction &, const OperationId &id, int number, const AttemptEnd &end, Instant now);

    Result<QList<Attempt>> of(const OperationId &id) const; ///< in their order
    Result<qint64> charged(const OperationId &id) const;
    Result<AttemptTraces> traces(const OperationId &id) const;

private:
    Connection &m_connection;
    AccountId m_account;
};

} // namespace daybook
