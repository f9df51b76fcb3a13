// Trees that an agent may have filled: measured and removed by descriptors, in little memory and
// few descriptors however deep they are, without following a link or entering another mount.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace ringwall::tree {

struct Measure {
  uint64_t bytes = 0;  // on the disk
  bool whole = true;   // false if something in it could not be looked at
};

// Changes nothing: folders that are closed to their owner are not looked into.
Measure measure_at(int dir, const std::string& name);

// Opens folders that were closed to their owner. What is named `last` in the top folder goes after
// all the rest, so that an interrupted removal can be told from a whole tree.
Status remove_at(int dir, const std::string& name, const std::string& last = {});

// The same, but the folder stays, and in it what is named `kept`.
Status empty_at(int dir, const std::string& name, const std::string& kept = {});

}  // namespace ringwall::tree
