// Files that are mapped for execution: judged while the call waits, and while nobody who shares the
// memory or the descriptors can run.
#pragma once

#include <sys/types.h>

#include <string>
#include <unordered_set>

#include "identity/exec_judge.h"
#include "identity/read_leases.h"
#include "identity/stop_notices.h"
#include "identity/traced_call.h"
#include "identity/tracees.h"

namespace ringwall::identity {

class MappingStop {
 public:
  struct Inputs {
    int processes;  // the host's /proc
    Tracees& tracees;
    ExecJudge& judge;
    StopNotices& notices;
    const std::unordered_set<pid_t>& tasks;  // all that live inside
  };
  explicit MappingStop(Inputs inputs) : in_(inputs), leases_(inputs.processes) {}

  // `task` stands at the beginning of this call; see maps_code().
  void take(pid_t task, const TracedCall& call);

  // A program whose interpreter is not the system's own: that one is judged as a library.
  Judgement judge_loader(pid_t task, const Judgement& program);

  // Somebody wants to write the file of this lease: who runs from it is ended first.
  void give_back(int lease);

 private:
  Judgement judge_file(Fd fd);
  Judgement judge_descriptor(pid_t task, int descriptor);
  Judgement judge_range(pid_t task, uint64_t start, uint64_t end, std::string& path);

  Inputs in_;
  ReadLeases leases_;
};

}  // namespace ringwall::identity
