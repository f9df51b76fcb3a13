// ringwall apply --pick: file by file, the person says what is taken over.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "review/apply_items.h"
#include "review/review.h"

namespace ringwall::cli {

// Chooses in `trees`. False if the person left with q. `paths` bound what is asked; empty: all.
Result<bool> pick(const review::Review& review, std::vector<review::ApplyTree>& trees,
                  const std::vector<std::string>& paths);

// A question with the answer no; true for y or yes.
bool asks_yes(const std::string& question);

}  // namespace ringwall::cli
