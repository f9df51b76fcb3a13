#include "net/own_networks.h"

#include <ifaddrs.h>
#include <netinet/in.h>

#include <bit>
#include <cstring>
#include <memory>

namespace ringwall::net {
namespace {

unsigned count_bits(const uint8_t* mask, size_t length) {
  unsigned bits = 0;
  for (size_t i = 0; i < length; i++)
    bits += static_cast<unsigned>(std::popcount(mask[i]));
  return bits;
}

}  // namespace

Result<std::vector<OwnNetwork>> read_own_networks() {
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) < 0) return fail_errno("cannot look at the network interfaces");
  std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, freeifaddrs);
  std::vector<OwnNetwork> networks;
  for (ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_netmask == nullptr) continue;
    OwnNetwork network;
    if (one->ifa_addr->sa_family == AF_INET) {
      memcpy(network.address.bytes, &reinterpret_cast<sockaddr_in*>(one->ifa_addr)->sin_addr, 4);
      auto* mask = reinterpret_cast<sockaddr_in*>(one->ifa_netmask);
      network.bits = count_bits(reinterpret_cast<const uint8_t*>(&mask->sin_addr), 4);
    } else if (one->ifa_addr->sa_family == AF_INET6) {
      network.address.is_ipv6 = true;
      memcpy(network.address.bytes, &reinterpret_cast<sockaddr_in6*>(one->ifa_addr)->sin6_addr, 16);
      auto* mask = reinterpret_cast<sockaddr_in6*>(one->ifa_netmask);
      network.bits = count_bits(reinterpret_cast<const uint8_t*>(&mask->sin6_addr), 16);
    } else {
      continue;
    }
    // A network of everything would be no network.
    if (network.bits > 0) networks.push_back(network);
  }
  return networks;
}

}  // namespace ringwall::net
