// What has to be changed so that plain command names are walled: decided from what was found,
// before anything is touched. Nothing here reads or writes a file.
#pragma once

#include <string>
#include <vector>

#include "install/agents.h"
#include "install/find_copies.h"
#include "install/manifest.h"
#include "install/scope.h"

namespace ringwall::install {

// A file as it is, by its real path.
struct SeenFile {
  std::string path;
  FileState state;
};

// Of one agent.
struct SeenAgent {
  const Agent* agent = nullptr;
  std::vector<Copy> copies;
  std::vector<SeenFile> settings;         // none, or the one
  std::vector<std::string> owned_copies;  // by packages of the system
  FileState first_shim;                   // at the person's own folder of shims
};

struct Seen {
  std::vector<SeenAgent> agents;
  std::vector<SeenFile> wrapper;      // none, or the one
  std::vector<SeenFile> shell_files;  // of the person: .bashrc, …
};

struct Plan {
  std::vector<Change> changes;
  std::vector<std::string> notes;  // what could not be done, and what that means
};

// Only what is not yet as it should be.
Result<Plan> plan_install(const Scope& scope, const Seen& seen, const Manifest& manifest);

// Where the program of a copy is moved to; empty: it is a link, and only the link is replaced.
std::string place_for_moved(const Scope& scope, const Copy& copy, bool owned);

}  // namespace ringwall::install
