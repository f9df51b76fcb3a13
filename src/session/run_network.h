// What a run has of the network: the desk that decides, and the ports that are published.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.h"
#include "desks/key_desk.h"
#include "desks/login_callback.h"
#include "desks/network_desk.h"
#include "desks/published_ports.h"
#include "prepare/network_plan.h"
#include "sandbox/launch.h"

namespace ringwall::session {

struct RunNetwork {
  std::unique_ptr<desks::NetworkDesk> desk;          // if anything may be reached or is published
  std::unique_ptr<desks::PublishedPorts> published;  // if anything is
  std::unique_ptr<desks::KeyDesk> keys;              // if git may log in
  std::unique_ptr<desks::LoginCallback> callback;    // if a login's port is to be found
  desks::NetworkRequest later;                       // of a desk, if there is none yet
  bool has_wall = false;

  // Before the agent: the relay's walls stand when the first byte comes, and a port of the host
  // that is taken refuses the run.
  static Result<RunNetwork> start(const prepare::PlannedNetwork& planned,
                                  std::span<char> start_area);

  // The sandbox stands.
  Status open(sandbox::Launched& launched, const prepare::PlannedNetwork& planned,
              const std::string& run, const desks::EventWays& ways, std::span<char> start_area);

  // A grant of the person's while it goes on. The wall is built if this is the first.
  Status allow(const sandbox::Launched& launched, const policy::HostPattern& pattern, int64_t until,
               const std::string& run, const desks::EventWays& ways, std::span<char> start_area);
};

}  // namespace ringwall::session
