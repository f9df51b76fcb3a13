// Files that their owner has closed to himself (mode 000) are kept for undo too. The keeper may not
// read them, so a helper opens them for it, in a user namespace of its own: started when the first
// one is met, and gone when the keeper has read everything.
#pragma once

#include <span>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "processes/helper_process.h"

namespace ringwall::session {

struct Opener {
  processes::HelperLink link;  // its channel is the keeper's end, to be handed over
};
// It reads nothing but what lies below these folders.
Result<Opener> start_opener(const std::vector<Fd>& trees, std::span<char> start_area);

}  // namespace ringwall::session
