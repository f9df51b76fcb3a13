// The walls around a process that reads what an agent wrote and only has to say what it thinks of
// it: it may look at files and answer over what is open, and nothing else.
#pragma once

#include "base/result.h"

namespace ringwall::sandbox {

// From here on this process opens nothing to write, starts, connects and signals nothing, and takes
// no more than that memory and time.
Status enter_reader_walls(uint64_t most_bytes, uint64_t most_seconds);

}  // namespace ringwall::sandbox
