// Starts Ringwall's own helpers: forks of this process behind walls of their own.
#pragma once

#include <sys/types.h>

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/helper_walls.h"

namespace ringwall::processes {

struct HelperRequest {
  const char* name;            // as `ps` shows it
  std::span<char> start_area;  // our arguments and environment, which are none of its business
  std::vector<int> kept;       // descriptors
  sandbox::Helper who = sandbox::Helper::relay;
  std::vector<std::string> folders = {};  // that it may work in; see sandbox::HelperRoom
  // Instead of the helpers' common walls. Given the descriptors and the supervisor.
  std::function<Status(const std::vector<int>&, pid_t)> own_walls = {};
  std::vector<std::string> looked_at = {};  // folders that it may only read
  bool takes_long_turns = false;            // base/processor_turns.h
};

// `work` runs in a new process that holds nothing but those descriptors, given to it by their
// numbers there, and does not return. A helper whose walls cannot be put up ends at once.
Result<pid_t> start_helper(HelperRequest request,
                           const std::function<void(std::span<const int>)>& work);

// A helper that was started, and the channel to it. It ends with this.
struct HelperLink {
  HelperLink() = default;
  HelperLink(HelperLink&& other) noexcept { *this = std::move(other); }
  HelperLink& operator=(HelperLink&& other) noexcept;
  ~HelperLink() { end(); }

  void end();

  Fd channel;
  pid_t pid = -1;
};

}  // namespace ringwall::processes
