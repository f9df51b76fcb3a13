// Hosts that a run asked for and was refused, as wishes for a proposal. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "net/egress.h"
#include "policy/proposal.h"

namespace ringwall::learn {

struct AskedHost {
  std::string destination;  // HOST:PORT; a name that was only asked for has no port
  std::string why;          // it was refused
  uint64_t times = 1;
  std::string program;  // empty: not known
};

// Private, loopback, link-local and metadata addresses, and names that only a private network has,
// are marked.
std::vector<policy::Wish> wishes_for_hosts(const std::vector<AskedHost>& asked,
                                           const net::EgressRules& rules);

}  // namespace ringwall::learn
