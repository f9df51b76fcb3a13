// P28: no datagram leaves, and no socket family exists beyond unix, IPv4, IPv6 and routing facts.
//
// Datagrams go to the host's own addresses and to 192.0.2.1 and 2001:db8::1, which are reserved for
// documentation and belong to nobody.
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/fd.h"
#include "probes/dialogue.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr int kLastFamily = 50;
constexpr uint16_t kDiscard = 9;

int try_socket(int family, int type, int protocol) {
  Fd socket(::socket(family, type | SOCK_CLOEXEC, protocol));
  return socket ? 0 : errno;
}

// The families that work needs; of netlink, routing alone.
bool is_granted(int family) {
  return family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK;
}

void try_families(Acts& acts) {
  for (int family = 0; family <= kLastFamily; family++) {
    if (is_granted(family)) continue;
    int met = 0;
    for (int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
      met = try_socket(family, type, 0);
      if (met == 0) break;
    }
    acts.tried("socket family " + std::to_string(family), met);
  }
  for (int protocol = 0; protocol <= NETLINK_SMC; protocol++) {
    if (protocol == NETLINK_ROUTE) continue;
    acts.tried("netlink protocol " + std::to_string(protocol),
               try_socket(AF_NETLINK, SOCK_RAW, protocol));
  }
}

// Our own loopback answers at once that nobody has the port; the host's keeps silent.
int reach_host_loopback(unsigned long port) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  if (connect(socket.get(), reinterpret_cast<const sockaddr*>(&to), sizeof to) < 0) return errno;
  if (send(socket.get(), "x", 1, 0) < 0) return errno;
  pollfd answer{socket.get(), POLLIN, 0};
  poll(&answer, 1, 20);
  int err = 0;
  socklen_t size = sizeof err;
  getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &err, &size);
  return err;
}

void try_raw(Acts& acts) {
  acts.tried("raw ICMP", try_socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  acts.tried("raw TCP", try_socket(AF_INET, SOCK_RAW, IPPROTO_TCP));
  acts.tried("raw IPv6", try_socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6));
  acts.tried("ICMP echo", try_socket(AF_INET, SOCK_DGRAM, IPPROTO_ICMP));
  acts.tried("ICMPv6 echo", try_socket(AF_INET6, SOCK_DGRAM, IPPROTO_ICMPV6));
  acts.tried("packets by the old door", try_socket(AF_INET, SOCK_PACKET, htons(3)));
}

// To somebody, to a group, to everybody: also at the ports where something listens or is asked.
void try_datagrams(Acts& acts) {
  for (const char* address :
       {"10.0.0.1", "169.254.169.254", "198.18.0.1", "198.18.0.2", "224.0.0.1", "224.0.0.251",
        "239.255.255.250", "255.255.255.255", "fd00::1", "fe80::1", "ff02::1", "ff02::fb",
        "ff05::1:3", "::ffff:192.0.2.1"}) {
    for (uint16_t port : {kDiscard, uint16_t{443}, uint16_t{5353}, uint16_t{4}}) {
      acts.tried("UDP to " + std::string(address) + " at port " + std::to_string(port),
                 send_datagram(address, port, "x"));
    }
  }
}

}  // namespace

Verdict probe_families(const Outside& outside) {
  Acts acts;
  try_families(acts);
  try_raw(acts);
  for (const std::string& address : outside.host_addresses) {
    bool needs_interface = address.starts_with("fe80");
    if (!needs_interface)
      acts.tried("UDP to the host's " + address, send_datagram(address, kDiscard, "x"));
  }
  for (const char* address : {"192.0.2.1", "2001:db8::1"})
    acts.tried(std::string("UDP to ") + address, send_datagram(address, kDiscard, "x"));
  // Bare, these may reach somebody.
  if (!shares_namespace(outside, "net")) try_datagrams(acts);
  if (outside.udp_port != 0)
    acts.tried("UDP to the host's loopback", reach_host_loopback(outside.udp_port));
  return acts.verdict();
}

}  // namespace ringwall::probes
