// One name against one part of a pattern: `*`, `?`, `[a-z]` and `\` as in policy/pattern.h. None of
// them takes a slash.
#pragma once

#include <string_view>

namespace ringwall::policy {

enum class Letters { exact, any_case };  // of ASCII

bool fits_wildcard(std::string_view name, std::string_view part, Letters letters);

}  // namespace ringwall::policy
