// Who the caller is and where Ringwall keeps its own files. No sandbox ever sees the latter.
#pragma once

#include <sys/types.h>

#include <cstdlib>
#include <set>
#include <string>

#include "base/file_id.h"
#include "base/result.h"

namespace ringwall::state {

struct Caller {
  uid_t uid = 0;
  gid_t gid = 0;
  std::string user;
  std::string group;
  std::string home;           // real path
  std::string home_as_named;  // as HOME says it
  std::string shell;
};

struct Places {
  std::string state;   // ~/.local/state/ringwall: homes, index, quarantine
  std::string runs;    // registry and control sockets of the runs that are going on
  std::string config;  // the person's policy: $XDG_CONFIG_HOME/ringwall, else ~/.config/ringwall
  std::string usual_config;  // where it would be without that variable
};

// HOME must exist and belong to the caller: a private home stands at its path, and files are kept
// below.
Result<Caller> read_caller();

// `runtime` is XDG_RUNTIME_DIR, used if it is a folder of the caller's alone. Where there is none,
// shared memory serves: what describes running processes must not survive a power cut. `config` is
// XDG_CONFIG_HOME.
Places find_places(const Caller& caller, const char* runtime,
                   const char* config = getenv("XDG_CONFIG_HOME"));

// Those folders, where they are: nothing is kept of them, and no run sees them.
std::set<file::Id> own_folders(const Places& places);

// Where what was planted is kept.
std::string quarantine_folder(const Places& places);

// Where what runs with --review have changed waits for the person.
std::string reviews_folder(const Places& places);

// Where folders lie that are left out of the reviews of a workspace.
std::string apart_folder(const Places& places, const std::string& workspace);

// Where lists of what lay in a run's trees lie until nothing can be planted any more.
std::string unswept_folder(const Places& places);

// Where copies of configs lie while they are changed.
std::string journals_folder(const Places& places);

// Which remotes runs have added to the git configs of workspaces.
std::string remotes_folder(const Places& places);

// Where what runs overwrite or delete is kept.
std::string undo_folder(const Places& places);

// The folder's own name, so that a person recognises it, and a digest of the whole path.
std::string name_for_path(const std::string& folder);

}  // namespace ringwall::state
