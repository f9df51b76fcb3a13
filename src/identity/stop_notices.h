// What the exec stop tells the supervisor: each program once.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>

#include "identity/exec_judge.h"
#include "identity/exec_stop_protocol.h"

namespace ringwall::identity {

class StopNotices {
 public:
  StopNotices(int channel, int processes) : channel_(channel), processes_(processes) {}

  // `link` below /proc leads to what was refused to `task`.
  void tell_refused(const Judgement& judged, const std::string& link, pid_t task,
                    StopNotice::How how);
  void tell_first_seen(const Judgement& judged, pid_t task);
  // Once, before and after the walls.
  void send(const StopNotice& notice);

  std::string path_of(const std::string& link) const;
  pid_t parent_of(pid_t task) const;

 private:
  void fill(StopNotice& notice, const Judgement& judged, std::string path, pid_t parent);

  int channel_;
  int processes_;
  std::set<std::string> refused_, seen_;  // what was told
};

}  // namespace ringwall::identity
