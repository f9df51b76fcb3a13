// The levels of risk rise: each holds from a score on that is not below those of lower levels.
#pragma once

#include <optional>

#include "policy/load.h"

namespace ringwall::policy {

struct Disorder {
  Setting setting;  // the one that was said later
  std::string what;
  std::string hint;
};

// What stands in the wrong order, if anything does. Levels that are never reached count for
// nothing.
std::optional<Disorder> find_disorder(const Policy::Risk& risk);

}  // namespace ringwall::policy
