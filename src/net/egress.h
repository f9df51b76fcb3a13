// Which connections may leave: pure decisions over names, ports and addresses. A denial wins over
// every grant; what nobody granted is refused.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "net/addresses.h"
#include "policy/hosts.h"
#include "policy/origin.h"

namespace ringwall::net {

struct EgressRule {
  policy::HostPattern pattern;
  policy::Rule rule;  // where it stands
};

struct EgressRules {
  std::vector<EgressRule> allow;
  std::vector<EgressRule> deny;
  std::vector<EgressRule> may_be_private;  // names that may lead to private addresses
  std::vector<uint16_t> host_ports;        // of the host's loopback
};

struct Decision {
  bool granted = false;
  std::string why;                 // of a refusal: "no grant names it"
  const EgressRule* by = nullptr;  // the rule that decided, if one did
};

// May a program know that there is such a name? True if some port of it may be reached.
Decision decide_name(const EgressRules& rules, std::string_view name);
Decision decide(const EgressRules& rules, std::string_view name, uint16_t port);

// A network that one of this host's own interfaces is in.
struct OwnNetwork {
  Address address;
  unsigned bits = 0;
};

// A block grants neither this machine's own addresses, nor metadata services and link-local ones
// that lie in it: who means those names them, or a part of their range.
Decision decide_address(const EgressRules& rules, const Address& address, uint16_t port,
                        const std::vector<OwnNetwork>& own);

bool may_be_private(const EgressRules& rules, std::string_view name);

// May a name lead to this address? Every one that a resolver gave is judged, and one that may not
// be dialled spoils the rest: whoever answers chooses which is tried first.
Decision judge_resolved(const Address& address, const std::vector<OwnNetwork>& own,
                        bool may_be_private);
// The same for addresses that are denied: a name is only another way to them.
Decision judge_denials(const EgressRules& rules, const Address& address, uint16_t port);

}  // namespace ringwall::net
