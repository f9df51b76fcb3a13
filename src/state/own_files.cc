#include "state/own_files.h"

#include <cerrno>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "git/named_files.h"
#include "state/companion.h"

namespace ringwall::state {
namespace {

// Those that are not there too: whoever makes one would have it started.
std::vector<std::string> own_programs() {
  std::vector<std::string> programs;
  auto self = file::read_link("/proc/self/exe");
  if (!self) return programs;
  for (const char* name : {"ringwall-advisor", "ringwall-guard"}) {
    for (std::string& place : companion_places(*self, name))
      programs.push_back(std::move(place));
  }
  return programs;
}

}  // namespace

Result<std::vector<std::string>> patterns_of_own_files(const std::vector<std::string>& trees,
                                                       const Places& places) {
  std::vector<std::string> paths = own_programs();
  auto installed = file::read(path::join(places.state, kInstalledPaths));
  // Mostly nothing is installed.
  if (!installed && installed.error().err != ENOENT) return std::unexpected(installed.error());
  if (installed) {
    for (std::string& path : text::split(*installed, '\0'))
      paths.push_back(std::move(path));
  }
  std::vector<std::string> patterns;
  for (const std::string& path : paths) {
    for (const std::string& tree : trees) {
      if (path != tree && path::is_beneath(path, tree))
        patterns.push_back(git::pattern_for(path.substr(tree.size() + 1)));
    }
  }
  return patterns;
}

}  // namespace ringwall::state
