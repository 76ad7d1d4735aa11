#pragma once

#include "models/domain/random.h"
#include "models/store/syncjournal.h"
#include "sync/client/resultclassifier.h"

namespace daybook {

/// How long the operation (and where the account is blocked, all of it) waits after \p verdict; zero where it
/// does not. \p probeStep is that of the account, which paces a block without a time.
Result<Milliseconds> waitAfter(const Verdict &verdict, const OperationId &operation, int probeStep,
                               const SyncJournal &journal, Random &random);

/// Writes what came of the attempt, in one transaction.
Result<ChangedEntries> record(const Lease &lease, const Verdict &verdict, Milliseconds wait,
                              SyncJournal &journal);

} // namespace daybook
