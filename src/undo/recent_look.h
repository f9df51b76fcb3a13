// In a large tree a look takes longer than many a command. Where an earlier run has looked at
// everything not long ago, and no name has come or gone since, its manifest stands for one of this
// run's own: what was changed since then comes back as that run has kept it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "undo/keeper.h"

namespace ringwall::undo {

// Two runs with the same one have the same folders and hide the same files.
std::string mark_of(const std::vector<KeeperTree>& trees, const std::set<std::string>& hidden);

// The run that all trees were kept by last, if it kept all of them and looked at most so long ago;
// else empty.
std::string find_recent_look(int undo, const std::vector<KeeperTree>& trees,
                             const std::string& mark, int64_t now);
inline constexpr int64_t kRecentSeconds = 600;

}  // namespace ringwall::undo
