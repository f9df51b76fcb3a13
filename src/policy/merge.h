// Layers made into one policy: pure, and the only place that decides who may say what. A locked
// field keeps what the organisation said; a text that only narrows is refused whatever gives more.
// What a lock forbids a profile is left out instead: the person did not write it and could not
// mend it.
#pragma once

#include <span>
#include <vector>

#include "policy/load.h"

namespace ringwall::policy {

// Why one setting is not taken.
struct Refusal {
  enum class Why { locked, widens, foreign, disorder };
  Why why;
  Setting setting;
  Diagnostic diagnostic;
};

struct Merged {
  Policy policy;                  // not to be used if anything was refused
  std::vector<Refusal> refusals;  // all of them
  std::vector<Refusal> left_out;  // of profiles, by locks
};

// In the order of the layers; texts of one layer in the order given.
Merged merge(std::span<const PolicyText> texts);

// True if `setting` would give the inside more than `policy` does.
bool gives_more(const Policy& policy, const Setting& setting);

}  // namespace ringwall::policy
