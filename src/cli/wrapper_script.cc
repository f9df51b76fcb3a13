#include "cli/wrapper_script.h"

#include <algorithm>

#include "base/file.h"
#include "base/path.h"
#include "prepare/profile_choice.h"
#include "sandbox/toolchain.h"

namespace ringwall::cli {
namespace {

constexpr size_t kMostBytes = 64u << 10;

bool names(std::string_view text, const std::string& path, const std::string& home) {
  if (text.find(path) != text.npos) return true;
  if (!path::is_beneath(path, home)) return false;
  std::string below = path.substr(home.size());
  return std::ranges::any_of(
      std::initializer_list<const char*>{"~", "$HOME", "${HOME}", "\"$HOME\"", "\"${HOME}\""},
      [&](const char* start) { return text.find(start + below) != text.npos; });
}

}  // namespace

std::vector<std::string> paths_for_wrapper(const std::string& script,
                                           const std::vector<install::Copy>& copies,
                                           const std::string& home) {
  std::vector<std::string> paths;
  auto text = file::read(script, kMostBytes);
  if (!text || !text->starts_with("#!")) return paths;
  // The one that is first on PATH stands for all of them.
  auto first = std::ranges::find_if(copies, [&](const install::Copy& copy) {
    return copy.shim && copy.shim->real.empty() && names(*text, copy.path, home);
  });
  bool names_all = first != copies.end();
  if (names_all) paths.push_back(first->path);
  for (const install::Copy& copy : copies) {
    if (!copy.shim || copy.shim->real.empty() || copy.shim->real == script) continue;
    if (!names_all && !names(*text, copy.path, home)) continue;
    sandbox::Toolchain needed =
        sandbox::collect_toolchain({.program = copy.shim->real,
                                    .search_path = prepare::callers_search_path(),
                                    .home = home,
                                    .working_folder = "/"});
    for (const sandbox::Grant& grant : needed.grants) {
      bool is_in_home = path::is_beneath(grant.path, home) && grant.path != home;
      bool is_known = std::ranges::find(paths, grant.path) != paths.end();
      if (is_in_home && !is_known) paths.push_back(grant.path);
    }
  }
  return paths;
}

}  // namespace ringwall::cli
