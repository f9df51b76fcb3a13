// Gives up in a layer what was applied, so that the rest of it means the same as before.
#pragma once

#include <string>

#include "base/result.h"
#include "changes/transaction.h"

namespace ringwall::review {

// Of each path that is done in the report. `real` already has it. Can be repeated.
Status drop_applied(int upper, int real, const changes::Report& report);

// Of new files that stay in the layer: it was seen that nobody has removed them from the real tree
// (see apply_items.cc). Later that could not be told any more, since an apply changes the times of
// folders.
void forget_origin(int upper, const std::string& path);

}  // namespace ringwall::review
