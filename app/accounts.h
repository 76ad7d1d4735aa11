#pragma once

#include "models/domain/account.h"
#include "models/domain/result.h"

namespace daybook {

class DataFolder;

// Whose entries are recorded on a data folder. Each opens the store for itself, so that any program on the
// folder sees what another one decided.

Result<Account> currentAccount(const DataFolder &folder);
/// The account of a fresh sign-in becomes the current one; gives it with its local id.
Result<Account> makeCurrent(const DataFolder &folder, const Account &account);
/// Nothing of the account is sent any more and everything of it is kept; gives the account that is current
/// now.
Result<Account> leaveAccount(const DataFolder &folder, AccountId id);

} // namespace daybook
