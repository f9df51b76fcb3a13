// The difference of two texts, or of three, as lines that a person can read: nothing in them is
// left that a terminal obeys, whatever the texts hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "review/line_match.h"

namespace ringwall::review {

// In one text; beyond that a difference is said and not shown.
inline constexpr size_t kMostDiffLines = 200'000;

struct DiffLine {
  enum class Kind { place, same, removed, added, conflict, remark };
  Kind kind;
  std::string text;  // harmless, with its mark: "+", "-", " " or "@@ … @@"
};

struct TextDiff {
  std::vector<DiffLine> lines;
  uint64_t added = 0, removed = 0;  // lines
};

// A line of a text as it may be shown: tabs and backslashes stay, very long ones are cut.
std::string harmless_line(std::string_view line);

// With three lines around each change. Of texts with too many lines there are only the numbers, and
// a remark in place of the lines.
TextDiff diff_texts(std::string_view before, std::string_view after, DiffBudget& budget);

// What was made of one text on two sides: `here`, in the real folder, and `there`, in the run.
// Where both changed the same lines, all three stand below each other. Without a base, where the
// two differ counts as changed by both.
TextDiff diff_three(std::optional<std::string_view> base, std::string_view here,
                    std::string_view there, DiffBudget& budget);

}  // namespace ringwall::review
