// Was a record changed? Walks the chain back from the head, which was kept apart, and says which
// lines are not what was written. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "events/chain.h"

namespace ringwall::events {

struct Finding {
  enum class Kind {
    changed,  // the line of that number is not the one that was written
    removed,  // lines of these numbers are not there
    added,    // at these places in the file stand lines that were not written by the run
    moved,    // the line of that number stands elsewhere than it was written
    cut_off,  // the last line is not whole
    no_head,  // the head is missing or unreadable: nothing vouches for the last line
  };
  Kind kind;
  uint64_t first = 0;  // numbers of lines; of `added`: places in the file, counted from 1
  uint64_t last = 0;

  std::string text() const;
};

struct RecordCheck {
  uint64_t lines = 0;             // that are in the file
  std::vector<Finding> findings;  // none: nothing was changed
};

// `text` is the whole record. While the run goes on, whole lines behind the head are no finding as
// long as they are chained: they were written since the head was read.
RecordCheck check_record(std::string_view text, const std::optional<Head>& head, bool goes_on);

}  // namespace ringwall::events
