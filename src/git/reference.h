// docs/git-settings.md: which of git's settings come in, which may change during a run, and what
// the others would do, made from the tables by which the program decides.
#pragma once

#include <string>

namespace ringwall::git {

std::string git_settings_page();

}  // namespace ringwall::git
