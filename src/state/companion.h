// Programs of Ringwall's own beside this one: where the build leaves them, and where they are
// installed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::state {

// Where it is looked for, seen from this program's own path; the first that is there is meant.
std::vector<std::string> companion_places(const std::string& self, std::string_view name);

// The path of that program; an error says how to get it.
Result<std::string> find_companion(std::string_view name);

}  // namespace ringwall::state
