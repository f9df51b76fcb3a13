// What a run has of the network: the desk that decides, and the ports that are published.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "sandbox/launch.h"
#include "session/key_desk.h"
#include "session/login_callback.h"
#include "session/network_desk.h"
#include "session/network_plan.h"
#include "session/published_ports.h"

namespace ringwall::session {

struct RunNetwork {
  std::unique_ptr<NetworkDesk> desk;          // if anything may be reached or is published
  std::unique_ptr<PublishedPorts> published;  // if anything is
  std::unique_ptr<KeyDesk> keys;              // if git may log in
  std::unique_ptr<LoginCallback> callback;    // if a login's port is to be found
  NetworkRequest later;                       // of a desk, if there is none yet
  bool has_wall = false;

  // Before the agent: the relay's walls stand when the first byte comes, and a port of the host
  // that is taken refuses the run.
  static Result<RunNetwork> start(const PlannedNetwork& planned, std::span<char> start_area);

  // The sandbox stands.
  Status open(sandbox::Launched& launched, const PlannedNetwork& planned, const std::string& run,
              const EventWays& ways, std::span<char> start_area);

  // A grant of the person's while it goes on. The wall is built if this is the first.
  Status allow(const sandbox::Launched& launched, const policy::HostPattern& pattern, int64_t until,
               const std::string& run, const EventWays& ways, std::span<char> start_area);
};

}  // namespace ringwall::session
