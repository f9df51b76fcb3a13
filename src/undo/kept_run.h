// What is kept of one run, or of one undo: a folder `runs/ID` below the undo folder.
//
//   run        what it is of
//   manifest   what lay in its trees at the start (undo/manifest.h)
//   outcome    what it did to them, when it has ended (undo/outcome.h)
//   own-times  what undos have given another time of what it left (undo/own_times.h)
//
// `latest/TREE` names the newest of each tree. Who keeps or puts back holds `lock` shared until the
// manifest names all contents; who removes contents holds it alone. The folder of a run that goes
// on is locked too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::undo {

struct KeptRun {
  enum class Kind : uint8_t { run, undo, apply };
  std::string id;  // NAME@TIME
  std::string name;
  Kind kind = Kind::run;
  std::string workspace;
  std::vector<std::string> command;
  int64_t started = 0;  // milliseconds since the epoch
  std::string of = {};  // the id of what an undo has undone

  bool operator==(const KeptRun&) const = default;
};

std::string encode(const KeptRun& run);
Result<KeptRun> parse_kept_run(std::string_view bytes, std::string id);

// NAME@TIME.PROCESS
std::string make_id(const std::string& name, int64_t milliseconds);
int64_t now_in_milliseconds();

// Makes the folder of one, locked. An id that is taken is an error (EEXIST).
Result<Fd> make_kept_run(int undo, const KeptRun& run);
Result<Fd> open_kept_run(int undo, const std::string& id);
Result<KeptRun> read_kept_run(int folder, std::string id);
// It is gone at once, under a name that nobody asks for; who is killed in between leaves that.
Status remove_kept_run(int undo, const std::string& id);
bool is_removed(std::string_view name);
Status remove_leftovers(int undo);

// Those of workspaces below a folder that goes; what cannot be removed stays until it expires.
void remove_kept_runs_below(const std::string& undo_folder, const std::string& folder);

// The oldest first. One that cannot be read is passed over.
Result<std::vector<KeptRun>> list_kept_runs(int undo);
// The names of those that are damaged, and nothing can be put back by.
std::vector<std::string> list_damaged(int undo);

// False if it goes on.
bool has_ended(int folder);
// For who goes on with what was killed: locked as by its maker. An error if somebody has it.
Result<Fd> take_over(int folder);

// The newest of a tree.
struct Latest {
  std::string id = {};    // empty if there is none
  bool has_all = false;   // it has kept everything that can be
  std::string mark = {};  // undo/recent_look.h
  int64_t looked = 0;     // seconds since the epoch, when everything was looked at
  uint64_t entries = 0;   // that there were then, in all trees of the run
  int64_t clock = 0;      // of the tree's filesystem, when that look began

  // Its manifest has every name in a tree whose folders changed last at `newest`.
  bool knows_names_of(int64_t newest) const { return has_all && newest < clock; }
};
Latest latest_of(int undo, const std::string& tree);
Status set_latest(int undo, const std::string& tree, const Latest& latest);

enum class LockMode { shared, alone, alone_at_once };
Result<Fd> lock_store(int undo, LockMode mode);

}  // namespace ringwall::undo
