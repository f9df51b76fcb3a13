#include "cli/tree_paths.h"

#include <algorithm>

#include "base/path.h"
#include "sandbox/toolchain.h"

namespace ringwall::cli {

std::string path_in_trees(const std::string& path, const std::vector<std::string>& trees) {
  auto lies_in = [](const std::string& inner) {
    return [&inner](const std::string& outer) { return path::is_beneath(inner, outer); };
  };
  auto lies_around = [](const std::string& outer) {
    return [&outer](const std::string& inner) { return path::is_beneath(inner, outer); };
  };
  if (std::ranges::any_of(trees, lies_in(path)) || std::ranges::any_of(trees, lies_around(path)))
    return path;
  // The shortest way into a tree: from there on it is taken as it is written.
  std::string way, real = path;
  for (const std::string& name : path::components(path)) {
    way += "/" + name;
    real = sandbox::follow_links(way).end;
    if (!std::ranges::any_of(trees, lies_in(real))) continue;
    return path::normalize(real + path.substr(way.size()));
  }
  return std::ranges::any_of(trees, lies_around(real)) ? real : path;
}

}  // namespace ringwall::cli
