// Files that their owner (us) has closed to himself: they are read all the same, and nothing of
// them changes by it, not even a time. An owner could open the mode for a moment, but who compares
// times would take that for a change.
#pragma once

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::changes {

// `place` is an O_PATH descriptor of an ordinary file. Anything else is an error and is not opened.
Result<Fd> open_to_read(int place);

}  // namespace ringwall::changes
