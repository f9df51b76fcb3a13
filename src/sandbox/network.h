// The sandbox's own network: loopback, and where something may be reached, the redirect that takes
// every connection to sockets which somebody outside holds. Runs in the child, while it still has
// every right over its own network namespace.
#pragma once

#include <array>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::sandbox {

struct NetworkPlan {
  bool has_wall = false;
  bool may_change = false;  // the person can grant more while it goes on
  std::string redirect;     // netfilter messages; net/redirect.h
  uint16_t wall_port = 0;
  uint16_t resolver_port = 0;
};

// The sockets of the wall, bound to loopback. Those of IPv6 are missing where the host has none.
// The last is one of netfilter, by which its rules can be asked what they refused.
enum WallSocket : size_t {
  kWall4,
  kWall6,
  kNames4,
  kNames6,
  kNamesTcp4,
  kNamesTcp6,
  kRules,
  kWallSockets
};
using WallSockets = std::array<Fd, kWallSockets>;

Status raise_loopback();

// Every address is routed to loopback, the redirect stands, the sockets listen.
Result<WallSockets> build_network(const NetworkPlan& plan);

}  // namespace ringwall::sandbox
