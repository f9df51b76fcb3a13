// What crashes and power cuts leave on the host, found and removed: entries of runs that are gone,
// half-written files, and on request private homes that nobody comes back to.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/tree.h"
#include "state/places.h"

namespace ringwall::state {

struct Leftover {
  enum class Kind {
    run,           // an entry in the registry whose run is gone
    registry,      // a registry without any entry
    file,          // a temporary file of an interrupted write
    note,          // a home's note of its workspace, emptied by a power cut
    layer,         // files that overlayfs was about to move into a cache
    verification,  // what a killed `ringwall verify` had planted
    home,          // a private home
  };
  Kind kind;
  std::string path;
  std::string name;       // of the run or the home, else empty
  std::string workspace;  // of the home, if it was not named
  tree::Measure size{};
  bool removed = false;
};

struct CleanRequest {
  bool homes = false;              // those of workspaces that do not exist any more
  std::vector<std::string> named;  // these too, whoever made them
  bool only_look = false;
};

// What could not be looked at or removed is told, and holds up nothing else.
struct CleanReport {
  std::vector<Leftover> leftovers;
  std::vector<Error> errors;
};

struct CleanPlaces {
  std::string state;
  std::vector<std::string> registries;  // every one that a run of this user may have chosen
  std::string temporary = "/tmp";
};
CleanPlaces find_clean_places(const Caller& caller, const char* runtime);

// Is there a private home of that name? Without it there may still be a note of its workspace.
bool has_home(const std::string& state, const std::string& name);

CleanReport clean(const CleanRequest& request, const CleanPlaces& places);

}  // namespace ringwall::state
