#include "net/sent_bytes.h"

namespace ringwall::net {

// Who was granted a whole network cannot make us count for ever: the last ones share a counter.
uint64_t& SentBytes::to_address(const Destination& to) {
  constexpr size_t kMostCounted = 1 << 16;
  std::string place(to.is_ipv6 != 0 ? "6" : "4");
  place.append(reinterpret_cast<const char*>(to.address), sizeof to.address);
  bool has_room = to_addresses_.size() < kMostCounted || to_addresses_.contains(place);
  return has_room ? to_addresses_[place] : to_others_;
}

}  // namespace ringwall::net
