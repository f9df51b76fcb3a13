// Finds the folder in which a path of a tree lies, by descriptors: no link is followed, no mount
// entered, and a path may be longer than the kernel takes at once. The folder found last and some
// on the way stay open, so that a sorted list of paths costs about one look-up each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::changes {

// Relative, and of names alone: no empty one, no "." and no "..".
bool is_plain_path(std::string_view path);

class TreeFolders {
 public:
  explicit TreeFolders(int tree) : tree_(tree) {}

  struct Place {
    int folder;        // until the next call
    const char* name;  // in the path that was given
  };
  // The errno is ENOENT, ENOTDIR, ELOOP or EXDEV if no such folder is in this tree.
  Result<Place> find(const std::string& path);

  // A folder that may have been found before is another now.
  void forget();

 private:
  struct Anchor {
    size_t length;  // of its path
    Fd folder;
  };

  bool is_on_the_way(size_t length, std::string_view parent) const;
  Result<Fd> open_from(int base, std::string_view rest) const;

  int tree_;
  std::string last_path_;
  Fd last_;
  std::vector<Anchor> anchors_;  // on the way to the last, far enough from each other
};

}  // namespace ringwall::changes
