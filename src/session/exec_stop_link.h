// The supervisor's side of the exec stop: starts the process, and hears what it refused.
#pragma once

#include <span>

#include "base/fd.h"
#include "base/result.h"
#include "base/standing_tasks.h"
#include "identity/exec_judge.h"
#include "identity/exec_stop_protocol.h"
#include "sandbox/plan.h"

namespace ringwall::session {

class ExecStopLink {
 public:
  ExecStopLink() = default;
  ExecStopLink(ExecStopLink&& other) noexcept { *this = std::move(other); }
  ExecStopLink& operator=(ExecStopLink&& other) noexcept;
  ~ExecStopLink() { end(); }

  // While `init`, pid 1 of the sandbox, waits for its id maps. When this returns, it is held.
  static Result<ExecStopLink> start(pid_t init, const sandbox::Plan& plan,
                                    const identity::StopRules& rules, StandingTasks standing,
                                    std::span<char> start_area);

  bool is_running() const { return static_cast<bool>(channel_); }
  int fd() const { return channel_.get(); }
  pid_t pid() const { return pid_; }

  Status try_acts();
  // What did not run yet does not run any more.
  Status only_known(bool only_known);
  // An error: it is gone, and with it everything inside.
  Result<identity::StopNotice> receive();
  // True if it did not end because nothing was left to hold.
  bool was_killed() const;
  void end();

 private:
  Fd channel_;
  pid_t pid_ = -1;
};

}  // namespace ringwall::session
