#include "cli/install_scope.h"

#include <sys/stat.h>

#include <cstdlib>

#include "base/text.h"
#include "sandbox/inside_run.h"

namespace ringwall::cli {

Result<InstallPlace> open_install_place(bool system) {
  InstallPlace place;
  TRY_ASSIGN(place.caller, state::read_caller());
  place.places = state::find_places(place.caller, getenv("XDG_RUNTIME_DIR"));
  TRY_ASSIGN(place.scope, install::find_scope(system, place.caller, place.places));
  TRY_ASSIGN(place.manifest, install::read_manifest(place.scope));
  return place;
}

Result<LockedInstallPlace> lock_install_place(bool system) {
  // What everybody has to read must not depend on how root's shell is set up.
  if (system) umask(0022);
  TRY_ASSIGN(InstallPlace place, open_install_place(system));
  TRY_ASSIGN(install::InstallLock lock, install::InstallLock::take(place.scope));
  TRY_ASSIGN(place.manifest, install::read_manifest(place.scope));
  return LockedInstallPlace{std::move(place), std::move(lock)};
}

Status refuse_inside_a_run(const std::string& what) {
  if (!sandbox::is_inside_run()) return {};
  return fail(what + " is for a person, outside of every run", "ask the person who started it");
}

Result<std::vector<const install::Agent*>> agents_named(const std::vector<std::string>& names) {
  std::vector<const install::Agent*> agents;
  std::vector<std::string> known = install::agent_names();
  for (const std::string& name : names) {
    const install::Agent* agent = install::agent_by_name(name);
    if (agent != nullptr) {
      agents.push_back(agent);
      continue;
    }
    std::string near = text::nearest(name, known);
    return fail("no agent is known as " + text::quote(name),
                (near.empty() ? "" : "did you mean " + near + "? ") +
                    "known are: " + text::join(known, ", "));
  }
  return agents;
}

}  // namespace ringwall::cli
