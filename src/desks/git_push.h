// `--git-push`: which keys may be used inside, for which hosts, and how they are known. Keys stay
// outside; a credential of https is handed in for granted hosts, since git inside speaks TLS.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "net/agent_filter.h"
#include "net/egress.h"
#include "policy/policy.h"
#include "processes/outside_program.h"

namespace ringwall::desks {

inline constexpr const char* kCredentialSocket = "/run/ringwall/git-credentials";
inline constexpr const char* kAgentSocket = "/run/ringwall/ssh-agent";

struct PlannedPush {
  bool on = false;
  bool has_agent = false;  // a key was named
  std::string agent;       // the person's ssh-agent
  net::AgentRules rules;
  struct KnownHost {
    std::string name;
    uint16_t port = 0;
  };
  std::vector<KnownHost> key_hosts;    // whose each of `rules.host_keys` is
  std::vector<std::string> variables;  // for git outside
  std::string known_hosts;             // of the granted hosts, for ssh inside

  std::vector<std::string> sockets() const;  // inside, in the order of their paths
};

Result<PlannedPush> plan_git_push(const policy::Policy::Git& git, const net::EgressRules& rules,
                                  const std::string& home, const processes::IsInReach& is_in_reach);

}  // namespace ringwall::desks
