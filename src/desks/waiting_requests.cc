#include "desks/waiting_requests.h"

#include <cstring>

namespace ringwall::desks {

uint64_t next_request_number() {
  static uint64_t last = 0;  // a supervisor has one run
  return ++last;
}

bool is_same(const net::Destination& one, const net::Destination& other) {
  if (one.port != other.port || strcmp(one.name, other.name) != 0) return false;
  return one.name[0] != '\0' || (one.is_ipv6 == other.is_ipv6 &&
                                 memcmp(one.address, other.address, sizeof one.address) == 0);
}

}  // namespace ringwall::desks
