#include "net/name_table.h"

#include <arpa/inet.h>

#include <cstring>

#include "net/redirect.h"

namespace ringwall::net {
namespace {

constexpr uint32_t kFirst = kNamesNetwork + 1;  // the network's own address looks like a mistake
constexpr uint32_t kMost = (1u << (32 - kNamesBits)) - 2;
constexpr uint32_t kSetApart = 8192;

// Of IPv4, in the host's order.
uint32_t number_of(const Destination& to) {
  uint32_t number = 0;
  memcpy(&number, to.address, sizeof number);
  return ntohl(number);
}

}  // namespace

std::optional<uint32_t> NameTable::address_of(std::string_view name, bool is_exact) {
  auto known = index_.find(std::string(name));
  if (known != index_.end()) return kFirst + known->second;
  if (entries_.size() >= (is_exact ? kMost : kMost - kSetApart)) return std::nullopt;
  auto index = static_cast<uint32_t>(entries_.size());
  entries_.push_back({std::string(name), 0});
  index_.emplace(name, index);
  return kFirst + index;
}

NameTable::Entry* NameTable::at(uint32_t address) {
  uint32_t index = address - kFirst;  // wraps for those before it
  return index < entries_.size() ? &entries_[index] : nullptr;
}

bool NameTable::holds(const Destination& to) {
  return to.is_ipv6 == 0 &&
         number_of(to) >> (32 - kNamesBits) == kNamesNetwork >> (32 - kNamesBits);
}

NameTable::Entry* NameTable::at(const Destination& to) {
  return holds(to) ? at(number_of(to)) : nullptr;
}

}  // namespace ringwall::net
