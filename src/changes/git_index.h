// Git's index, of which most changes are none: every `git status` of an editor writes it anew with
// fresh times of the files. What counts is which content each path has in it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::changes {

// The same for two indexes that hold the same paths with the same content, modes and flags, also if
// times and sizes of files, or what git remembers to be quicker, differ. An index of a form that is
// not known, split ones among them, is an error.
Result<std::string> describe_index(std::string_view bytes);

}  // namespace ringwall::changes
