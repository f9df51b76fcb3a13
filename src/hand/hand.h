// The hand: the one helper that works inside the sandbox's mount namespace. It renews mounts that
// the host took away, and takes the renames that were caught. It parses nothing: it copies,
// compares and passes on. In a run that learns it also notes which files are missed.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>
#include <vector>

#include "hand/wanted_files.h"

namespace ringwall::hand {

struct HandInputs {
  // Descriptors, by their numbers in this process; -1: none.
  int channel = -1;                  // to the supervisor
  int broker = -1;                   // see base/config_update.h
  int renames = -1;                  // the listener
  int behind = -1;                   // see NewRoot
  int mask = -1;                     // see NewRoot
  int processes = -1;                // the host's /proc
  std::vector<std::string> configs;  // see CaughtRenames
  pid_t supervisor = -1;
  // Of a run that learns; see WantedFiles.
  std::vector<ShownTree> trees = {};
  std::span<char> wanted = {};
};

// Behind its walls already. Returns when the supervisor is gone.
void run_hand(HandInputs inputs);

}  // namespace ringwall::hand
