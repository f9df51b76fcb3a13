// How a policy names files at any depth: "NAME", "FOLDER/", "A/B", with `*` within one name and a
// leading "/" for the top of the workspace. Here is only how it is written; files/ matches it.
#pragma once

#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

Status check_pattern(std::string_view pattern);

// Fits whatever there is: "*", "/*", "*/".
bool fits_everything(std::string_view pattern);

}  // namespace ringwall::policy
