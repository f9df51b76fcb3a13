// Are two files the same? Bounded: who compares gives up in time, and then they are not.
#pragma once

#include <cstdint>

#include "base/digest.h"
#include "base/result.h"

namespace ringwall::review {

// How many bytes may still be read.
struct ReadBudget {
  uint64_t bytes;
};

// By content and attributes; sizes are known to be equal. False when the budget is used up.
bool is_same_file(int a, int b, uint64_t size, ReadBudget& budget);

// Nothing when the budget is used up, or the file cannot be read.
Result<Digest> digest_of(int fd, uint64_t size, ReadBudget& budget);

}  // namespace ringwall::review
