// How many bytes have left: to each name, to each address, and in all.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "net/flow.h"
#include "net/relay_protocol.h"

namespace ringwall::net {

class SentBytes {
 public:
  void limit(uint64_t to_one, uint64_t in_all) {
    most_to_one_ = to_one;
    most_in_all_ = in_all;
  }

  // The budget of whoever counts here; it stays where it is.
  Budget budget(uint64_t& sent) { return {&sent, &in_all_, nullptr, most_to_one_, most_in_all_}; }
  Budget budget(const Destination& address) { return budget(to_address(address)); }

 private:
  uint64_t& to_address(const Destination& to);

  uint64_t most_to_one_ = UINT64_MAX;
  uint64_t most_in_all_ = UINT64_MAX;
  uint64_t in_all_ = 0;
  uint64_t to_others_ = 0;
  std::unordered_map<std::string, uint64_t> to_addresses_;  // whose places do not change
};

}  // namespace ringwall::net
