// The supervisor's side of the hand: starts the process, and has it renew mounts.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "hand/hand_protocol.h"
#include "sandbox/launch.h"
#include "sandbox/plan.h"

namespace ringwall::session {

class HandLink {
 public:
  HandLink() = default;
  HandLink(HandLink&& other) noexcept;
  HandLink& operator=(HandLink&& other) noexcept;
  ~HandLink();

  // After the sandbox said that it is ready. `broker` is one end of the channel on which updates of
  // the plan's git configs are asked for (base/config_update.h); without one they are refused by
  // the mount. Returns while the walls are put up.
  // `wanted` is memory that is shared with it, for a plan that learns (hand/wanted_table.h).
  static Result<HandLink> start(sandbox::Launched& launched, const sandbox::Plan& plan, Fd broker,
                                std::span<char> start_area, std::span<char> wanted = {});
  Status wait_until_ready();

  bool is_running() const { return static_cast<bool>(channel_); }
  int fd() const { return channel_.get(); }
  pid_t pid() const { return pid_; }

  // What lies at `target` now, a protected or hidden path of the plan, is covered as it was at the
  // start, and every folder above it pinned. Waits for the answer, but not for long; an error's
  // `err` says what the kernel had against it: ENOENT if nothing lies there.
  Status renew(const std::string& target, sandbox::Mount::Kind kind);

  Status try_acts();
  // What came meanwhile, or comes next. An error: the hand is gone, and the run has to end, since
  // every rename inside fails from now on.
  Result<hand::HandNotice> receive();
  bool has_more() const { return !kept_back_.empty(); }  // without waiting for the descriptor
  void end();

 private:
  Status order(hand::HandOrder::Type type, const std::string& path);
  Result<hand::HandNotice> receive_next(int patience);

  Fd channel_;
  pid_t pid_ = -1;
  bool learns_ = false;  // it has something to finish in the end
  uint32_t last_order_ = 0;
  std::map<std::string, std::string> pins_;  // inside, and its place behind
  std::deque<hand::HandNotice> kept_back_;
};

}  // namespace ringwall::session
