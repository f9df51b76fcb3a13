// How a policy names files of the workspace: the language of .gitignore. "NAME" fits at any depth,
// "A/B" and "/NAME" from the workspace's top, "NAME/" a folder; `*`, `?`, `[a-z]`, `**` and `\`
// mean what they mean to git. Here is only how it is written; policy/wildcard.h matches a name,
// files/ a path. What git would quietly let fit nothing is an error here.
#pragma once

#include <bitset>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

inline constexpr size_t kLongestPattern = 4096;

Status check_pattern(std::string_view pattern);

// As git reads a line: spaces at the end do not count, unless a backslash stands before.
std::string_view without_trailing_spaces(std::string_view pattern);

// One [...], which begins at `at`. Nothing if it is not closed or names an unknown [:class:].
struct PatternClass {
  std::bitset<256> members;
  bool is_negated = false;
  size_t end = 0;  // behind the closing bracket
};
std::optional<PatternClass> read_class(std::string_view pattern, size_t at);

// Fits whatever there is: "*", "/*", "**/".
bool fits_everything(std::string_view pattern);

}  // namespace ringwall::policy
