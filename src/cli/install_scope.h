// What install, installed, uninstall and off have in common: who asks, for whom, and for which
// agents.
#pragma once

#include <string>
#include <vector>

#include "install/agents.h"
#include "install/scope.h"
#include "state/places.h"

namespace ringwall::cli {

struct InstallPlace {
  state::Caller caller;
  state::Places places;
  install::Scope scope;
  install::Manifest manifest;
};

Result<InstallPlace> open_install_place(bool system);

// The same, for who changes it: nobody else does meanwhile.
struct LockedInstallPlace {
  InstallPlace place;
  install::InstallLock lock;
};
Result<LockedInstallPlace> lock_install_place(bool system);

// An error inside a run: what is walled is decided outside.
Status refuse_inside_a_run(const std::string& what);

// Known agents by their names; an error names the one that is not, and what was meant.
Result<std::vector<const install::Agent*>> agents_named(const std::vector<std::string>& names);

}  // namespace ringwall::cli
