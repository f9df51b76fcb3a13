// The first part of a transaction: makes every new inode, complete, where it waits for its place.
#pragma once

#include <vector>

#include "base/result.h"
#include "changes/journal.h"
#include "changes/transaction.h"
#include "changes/workplace.h"

namespace ringwall::changes {

Result<Plan> stage(Workplace& place, const std::vector<Step>& steps,
                   const TransactionOptions& options);

}  // namespace ringwall::changes
