#include "net/original_destination.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstring>

namespace ringwall::net {

std::optional<Destination> original_destination(int socket, bool is_ipv6) {
  constexpr int kOption = 80;  // SO_ORIGINAL_DST; its header and libc's do not go together
  sockaddr_in6 address6{};
  sockaddr_in address4{};
  socklen_t size = is_ipv6 ? sizeof address6 : sizeof address4;
  void* address = is_ipv6 ? static_cast<void*>(&address6) : &address4;
  if (getsockopt(socket, is_ipv6 ? SOL_IPV6 : SOL_IP, kOption, address, &size) < 0) return {};
  Destination to;
  to.is_ipv6 = is_ipv6;
  to.port = ntohs(is_ipv6 ? address6.sin6_port : address4.sin_port);
  is_ipv6 ? memcpy(to.address, &address6.sin6_addr, 16) : memcpy(to.address, &address4.sin_addr, 4);
  return to;
}

}  // namespace ringwall::net
