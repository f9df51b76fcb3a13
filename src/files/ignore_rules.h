// What git ignores in a tree by the .gitignore files that lie in it: read once, from the top down,
// by descriptor. A line that git would read and we cannot ignores nothing.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/name_pattern.h"

namespace ringwall::files {

class IgnoreRules {
 public:
  // The rules of one .gitignore, and what it lies in.
  struct Level {
    std::string folder;   // relative to the tree
    PatternSet patterns;  // the last line first: it decides
    std::vector<bool> negated;
    const Level* above = nullptr;
  };

  // The rules for what lies in this folder, which are read if it has some of its own; null: none.
  // The folders above come first.
  const Level* enter(size_t tree, const std::string& folder, int fd);
  // The same without reading.
  const Level* rules_of(size_t tree, const std::string& folder) const;

  // What lies in the folder that `rules` are for. Folders above are not asked about.
  static bool is_ignored(const Level* rules, std::string_view path, EntryKind kind);

  static void read_lines(std::string_view text, Level& level);

 private:
  // Addresses stay.
  std::map<std::pair<size_t, std::string>, Level> levels_;
};

}  // namespace ringwall::files
