#include "prepare/profile_choice.h"

#include <algorithm>
#include <cstdlib>

#include "base/path.h"
#include "sandbox/toolchain.h"
#include "state/homes.h"

namespace ringwall::prepare {
namespace {

using policy::Profile;

constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";  // where none is set

// What a package manager puts there comes with a repository, wherever that lies.
constexpr std::string_view kOfAProject = "/node_modules/.bin/";

bool is_out_of_reach(const std::string& path, const ProgramRequest& request) {
  if (path.find(kOfAProject) != std::string::npos) return false;
  if (path::is_beneath(path, request.places.state)) return false;
  bool writable =
      std::any_of(request.writable.begin(), request.writable.end(),
                  [&](const std::string& tree) { return path::is_beneath(path, tree); });
  return !writable && !state::was_in_reach(path, request.places);
}

// The path itself, every link on the way, and where it ends.
std::vector<std::string> way_to(const std::string& path) {
  sandbox::Way way = sandbox::follow_links(path);
  std::vector<std::string> met = {path};
  for (const sandbox::LinkOnTheWay& link : way.links)
    met.push_back(link.path);
  met.push_back(way.end);
  return met;
}

// Who may change the interpreter of a script is who acts by that script's name.
bool is_out_of_reach(const std::vector<std::string>& way, const ProgramRequest& request,
                     int deepest = 4) {
  if (deepest == 0) return false;
  for (const std::string& path : way) {
    if (!is_out_of_reach(path, request)) return false;
  }
  for (const std::string& name : sandbox::programs_of_first_line(way.back())) {
    // The kernel takes a relative one from the folder that one is in.
    std::string path = name.find('/') != std::string::npos
                           ? path::absolute(name, request.working_folder)
                           : sandbox::locate_program(name, request.search_path, "/");
    if (!path.empty() && !is_out_of_reach(way_to(path), request, deepest - 1)) return false;
  }
  return true;
}

// By a name that the program has on the way, or by the package that holds it.
bool belongs_to(const Profile& profile, const std::vector<std::string>& way) {
  std::vector<std::string> programs = profile.words("programs");
  for (const std::string& path : way) {
    if (std::find(programs.begin(), programs.end(), path::basename(path)) != programs.end())
      return true;
  }
  for (const std::string& package : profile.words("packages")) {
    if (way.back().find("/node_modules/" + package + "/") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

std::string callers_search_path() {
  const char* path = getenv("PATH");
  return path == nullptr ? kUsualPath : path;
}

const Profile* profile_of_program(const ProgramRequest& request) {
  std::string found =
      sandbox::locate_program(request.program, request.search_path, request.working_folder);
  if (found.empty()) return nullptr;
  std::vector<std::string> way = way_to(found);
  for (const Profile& profile : policy::profiles()) {
    if (profile.kind() != Profile::Kind::agent || !belongs_to(profile, way)) continue;
    return is_out_of_reach(way, request) ? &profile : nullptr;
  }
  return nullptr;
}

}  // namespace ringwall::prepare
