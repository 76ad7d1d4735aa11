#pragma once

#include "models/domain/account.h"
#include "models/domain/operation.h"
#include "models/domain/result.h"
#include "tests/bench/statistics.h"

namespace daybook {

class Connection;

/// The account that single measures work on: the current one, or where nobody is signed in one that belongs
/// to no server yet, so that what is saved is queued. drain() gives that one its server.
Result<Account> measuredAccount(Connection &connection);
bool isWithoutServer(const Account &account);

/// Adds entries that the server already has, without operations; \returns how long each transaction of at
/// most entriesPerTransaction took. Consistent as verify sees it.
constexpr int entriesPerTransaction = 10'000;
Result<Durations> fillEntries(Connection &connection, AccountId account, qint64 count);

/// Adds entries with one operation each in \p state, as a queue that has grown long holds them. Only for
/// measuring the queue: their payloads are no payloads and nothing must send them.
Result<void> fillOperations(Connection &connection, AccountId account, qint64 count, OperationState state);

} // namespace daybook
