// ringwall explain risk: the sum that a run's risk is made of.
#pragma once

#include <string>

#include "base/result.h"
#include "risk/replay.h"

namespace ringwall::cli {

struct ReplayedRecord {
  std::string id;
  risk::Replay replay;
};
// The newest record of a run of that name, or the one with that id.
Result<ReplayedRecord> replay_record(const std::string& run_or_id);

// `run` may be empty where only one goes on. Gives the exit status.
Result<int> explain_risk(const std::string& run, bool json);

}  // namespace ringwall::cli
