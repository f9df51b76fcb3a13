// A tree that the inside may write to, as the broker sees it: everything in it is reached by
// descriptor from its top, and no link is followed.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::files {

struct WatchedTree {
  Fd folder;
  std::string path;  // absolute

  std::string whole(const std::string& relative) const;
  std::string relative(const std::string& whole) const;  // of something beneath it
};

// "" for what lies at the top.
std::string parent_of(const std::string& relative);

// The folder in which `relative` lies, for use of names in it: one that is closed to us can still
// hold a file that others reach by its name.
Result<Fd> open_parent(const WatchedTree& tree, const std::string& relative);

// Nothing lies there, or not any more: for a hostile tree that is no mistake.
bool is_gone(const Error& error);

}  // namespace ringwall::files
