// git push origin "$(git branch --show-current)": a word that git itself gives.
#pragma once

#include <optional>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::gate {

// The words of the act, with HEAD where the branch's name would stand.
std::optional<std::vector<shell::Word>> with_current_branch(const shell::Analysis& analysis,
                                                            const shell::Act& act);

}  // namespace ringwall::gate
