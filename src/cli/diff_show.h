// A review on the screen, or as JSON: what needs attention on top, then change by change.
#pragma once

#include <set>

#include "cli/output.h"
#include "cli/pager.h"
#include "review/whole_review.h"

namespace ringwall::cli {

struct DiffShape {
  enum class Kind { lines, stat, json };
  Kind kind = Kind::lines;
  Style style;
  std::vector<std::string> paths;  // absolute; empty: everything
};

// True unless the paths were given and nothing lies there. `folder` is the review's own.
bool show_review(int folder, const review::Review& review,
                 const std::vector<review::ReviewedTree>& trees, const DiffShape& shape,
                 Pager& pager);

}  // namespace ringwall::cli
