// The paths of Read(…) and Edit(…): lines of a .gitignore with Claude Code's anchors. "//x" begins
// at the system's root, "~/x" at the home, "x" and "./x" at the folder where the agent works; a
// name without a slash fits at any depth below its anchor, and a folder is all that lies in it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/gap_match.h"

namespace ringwall::gate {

// A file that a call names: as named, and where that leads.
struct NamedFile {
  shell::Word path;    // absolute and without "..", as far as it is known
  std::string target;  // empty if the path has gaps
  bool is_known() const { return path.gaps.empty(); }
};

// What anchors mean here; all absolute.
struct Anchors {
  std::string_view home;
  std::string_view workspace;
  std::string_view folder;  // of this call
};

class PathRule {
 public:
  // `allows`: "src/**" is that one folder, to a denial those of any depth.
  static PathRule parse(std::string_view text, bool allows);

  // The name or where it leads may fit.
  bool may_fit(const NamedFile& file, const Anchors& anchors) const;
  // Name and target both fit, and nothing about them is unknown.
  bool surely_fits(const NamedFile& file, const Anchors& anchors) const;
  // Where what it means lies, if it says so without a wildcard; a name that fits at any depth may
  // lie in `folder` too.
  std::vector<std::string> places(const Anchors& anchors, std::string_view folder) const;

 private:
  enum class Anchor : uint8_t { root, home, here };

  bool fits(std::string_view path, std::string_view anchor, bool folds) const;
  bool fits_from(std::string_view rest, size_t part, bool folds) const;
  bool may_fit_gaps(const shell::Word& path, std::string_view anchor) const;

  Anchor anchor_ = Anchor::here;
  bool at_any_depth_ = false;
  bool allows_ = false;
  std::vector<std::string> parts_;  // between slashes; "**" is any number of folders
};

}  // namespace ringwall::gate
