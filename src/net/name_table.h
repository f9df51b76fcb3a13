// The names that somebody inside was told of, each with an address of its own that stands for it
// (198.18.0.0/15). An address is never given to another name while the run goes on: a connection to
// it always means the same name.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "net/relay_protocol.h"

namespace ringwall::net {

class NameTable {
 public:
  struct Entry {
    std::string name;
    uint64_t sent = 0;  // bytes that left for it
  };

  // The address that stands for the name, in the host's order; none if all are used up. Some are
  // kept for names that are granted as they are: others are as many as somebody inside makes up.
  std::optional<uint32_t> address_of(std::string_view name, bool is_exact);
  // Who that address stands for; null if it was never given out.
  Entry* at(uint32_t address);
  Entry* at(const Destination& to);
  // Is it an address that stands for a name, or could?
  static bool holds(const Destination& to);

  size_t size() const { return entries_.size(); }

 private:
  std::deque<Entry> entries_;  // whose places do not change
  std::unordered_map<std::string, uint32_t> index_;
};

}  // namespace ringwall::net
