// The keeper of a run: a process beside the supervisor that keeps what lies in the run's trees
// before the command can change it, and says in the end what has become of them. It reads the trees
// and writes the undo folder; it changes nothing else.
//
// The command waits for it a while. What is read after that counts only if nothing has touched it
// since the command started, by the clock of its filesystem.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/tried_act.h"
#include "undo/kept_run.h"
#include "undo/tree_look.h"

namespace ringwall::undo {

struct KeeperTree {
  Fd folder;
  std::string path;
  // The last ctime of all its folders, in nanoseconds: no name has come or gone since.
  int64_t newest = 0;
};

struct KeeperLimits {
  uint64_t size;  // bytes that are kept of this run
  uint64_t kept;  // of all runs
  uint64_t age;   // milliseconds
};

struct KeeperInputs {
  int channel;
  std::string folder;  // the undo folder
  KeptRun run;
  std::vector<KeeperTree> trees;
  KeeperLimits limits;
  std::set<std::string> hidden;    // files that the inside does not see, absolute
  std::set<file::Id> passed_over;  // folders, such as Ringwall's own
  bool is_waited_for = true;       // by the command, when it is to start
  std::vector<TriedAct> (*try_acts)() = nullptr;
};

// Returns when the supervisor has what it wanted to know, or is gone.
void run_keeper(KeeperInputs inputs);

}  // namespace ringwall::undo
