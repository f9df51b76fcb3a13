// What git inside is told beside its curated settings: files to leave alone, and the person's
// harmless preferences.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "prepare/guarded_files.h"

namespace ringwall::prepare {

// Lines for its ignore file: `git add -A` would stumble over a file that it cannot read.
std::string ignored_by_git(const GuardedFiles& guarded, const std::string& workspace);

std::vector<std::pair<std::string, std::string>> git_preferences(const std::string& home);

}  // namespace ringwall::prepare
