// From the report of a transaction to an entry of the history: what it replaced goes into the
// store.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "undo/put_back.h"

namespace ringwall::undo {

// Writes manifest and outcome into the folder of an entry. A tree without a journal was left alone.
Status write_replaced(int undo, int folder, const std::vector<ReplacedIn>& trees);

// After it: nothing of the journals is needed any more.
Status finish_undo(int undo, int folder, const std::vector<Fd>& trees);

}  // namespace ringwall::undo
