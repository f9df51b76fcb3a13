// What a tree looks like from outside, as lines that can be compared.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::verify {

struct ListingDepth {
  int levels = 8;
  bool in_full = true;  // with size, time of change and content; else names and modes alone
  std::vector<std::string> left_out;  // absolute paths that are not entered
};

// Sorted. A folder that cannot be read is a line that says so.
std::vector<std::string> list_tree(const std::string& top, const ListingDepth& depth);

// The first line that only one of the two has, without its details; empty if there is none.
std::string first_difference(const std::vector<std::string>& before,
                             const std::vector<std::string>& after);

}  // namespace ringwall::verify
