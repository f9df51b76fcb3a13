// Paths that a person names, as the trees of a run say them.
#pragma once

#include <string>
#include <vector>

namespace ringwall::cli {

// A tree may be named by a link that leads to it, also by who stands in such a folder. Links in a
// tree are not followed: what is named may lie where the run has put one. `path` is absolute.
std::string path_in_trees(const std::string& path, const std::vector<std::string>& trees);

// All of them; a tree has its path as a member.
template <class Tree>
void take_as_in_trees(std::vector<std::string>& paths, const std::vector<Tree>& trees) {
  std::vector<std::string> tops;
  for (const Tree& tree : trees)
    tops.push_back(tree.path);
  for (std::string& path : paths)
    path = path_in_trees(path, tops);
}

}  // namespace ringwall::cli
