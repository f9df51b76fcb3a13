// From a path as a tool call or a command writes it to what the rules look at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/path_rule.h"
#include "gate/resolve_path.h"

namespace ringwall::gate {

struct FileLook {
  NamedFile file;
  // The same with something put into its gaps: what fits then is meant by the known part.
  std::vector<NamedFile> filled;
  bool is_blank = false;      // nothing of the name is known
  bool has_unknown = false;   // a gap that may be any text, not only a glob
  bool names_little = false;  // a glob with hardly a letter: *, *.c
};

// `folder`: empty if it is not known where the path begins. "~" is for who writes no shell.
FileLook look_at_file(const shell::Word& path, const std::optional<std::string>& folder,
                      std::string_view home, PathResolver& resolver);

}  // namespace ringwall::gate
