// The broker: the one process that touches the workspace on Ringwall's behalf while a run goes on.
//
// It watches every folder of the writable trees. What appears under a protected name is vetted, and
// what could run something outside goes into quarantine: everything inside is stopped first, so
// that nobody plants it again behind the broker's back; then it sweeps, waits a moment, longer each
// time, sweeps again, and lets the inside go on. A run that goes on planting is ended. In the end,
// when nothing inside lives any more, it looks at everything once more.
//
// A host program that puts another file in the place of a guarded one takes the mount inside with
// it. Then everything inside is stopped as well, the new file becomes an inode that nobody has
// open, and the hand covers it again.
//
// It also hears what is deleted, and has everything paused when that is too much.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/tried_act.h"
#include "broker/broker_protocol.h"
#include "broker/deletion_count.h"
#include "broker/quarantine.h"
#include "broker/staged_watch.h"
#include "broker/unswept.h"
#include "broker/vet.h"
#include "files/hidden.h"
#include "files/index.h"
#include "git/config_desk.h"
#include "git/remote_ways.h"

namespace ringwall::broker {

struct BrokerInputs {
  int channel = -1;
  std::vector<files::WatchedTree> trees = {};
  std::vector<std::string> only_read = {};  // absolute: what the inside sees and cannot change
  std::vector<files::Index> indexes = {};   // of the trees: which folders there are
  const files::ProtectedNames& protected_names;
  const files::HiddenNames& hidden_names;
  std::optional<Quarantine> quarantine = std::nullopt;  // must be there
  files::LinkRules links = {};
  std::string run_name;
  // Absolute paths that lay there at the start: mounts keep them from the inside, so that it is the
  // host who changes them.
  std::set<std::string> kept;
  std::set<std::string> hidden;  // the same for what cannot be read
  git::GitConfigDesk desk = {};  // of the configs among them
  git::RemoteWays ways = {};     // that git goes by them, as they were before anything ran
  int64_t start = 0;             // nanoseconds, of file times
  std::vector<StartIndex> start_indexes = {};
  std::vector<bool> stamped;  // of each tree: its files' times tell of every change
  UnsweptList unswept = {};
  DeletionLimits deletions = {};
  TryActs try_acts = nullptr;
};

// Returns when the supervisor is gone, or does not want it any more.
void run_broker(BrokerInputs inputs);

}  // namespace ringwall::broker
