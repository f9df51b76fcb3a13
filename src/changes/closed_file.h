// Files that their owner (us) has closed to himself: they are read all the same, and nothing of
// them changes by it, not even a time. An owner could open the mode for a moment, but who compares
// times would take that for a change.
#pragma once

#include "base/fd.h"
#include "base/result.h"
#include "changes/attributes.h"

namespace ringwall::changes {

// `place` is an O_PATH descriptor of an ordinary file. Anything else is an error and is not opened.
Result<Fd> open_to_read(int place);

// The same with what it carries besides, of which the person's own attributes are as closed as its
// bytes.
struct ContentAndAttributes {
  Fd content;
  Attributes attributes;
};
Result<ContentAndAttributes> open_to_keep(int place);

}  // namespace ringwall::changes
