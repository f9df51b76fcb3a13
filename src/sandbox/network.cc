#include "sandbox/network.h"

#include <arpa/inet.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/netlink.h"

namespace ringwall::sandbox {
namespace {

constexpr uint32_t kLoopbackIndex = 1;  // always the first of a network namespace
constexpr int kBacklog = 4096;

template <typename Plain>
std::string_view view(const Plain& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// An address that is routed to loopback as a local one: whoever connects to it stays here. The host
// may have chosen a congestion control for the world outside (BBR's timers cost a quarter of the
// throughput here); on the way to the wall nothing is lost, and every kernel has this one.
std::string route_all(uint8_t family) {
  rtmsg route{};
  route.rtm_family = family;
  route.rtm_table = RT_TABLE_LOCAL;
  route.rtm_protocol = RTPROT_STATIC;
  route.rtm_scope = RT_SCOPE_HOST;
  route.rtm_type = RTN_LOCAL;
  netlink::Attributes metrics, attributes;
  metrics.text(RTAX_CC_ALGO, "reno");
  attributes.host_number(RTA_OIF, kLoopbackIndex).nest(RTA_METRICS, metrics);
  return netlink::message(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_ACK, view(route), attributes);
}

bool has_no_ipv6(int err) {
  return err == EAFNOSUPPORT || err == EADDRNOTAVAIL || err == EOPNOTSUPP || err == EACCES ||
         err == ENODEV || err == EINVAL;
}

Result<Fd> bind_loopback(bool is_ipv6, int type, uint16_t port) {
  Fd socket(::socket(is_ipv6 ? AF_INET6 : AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail_errno("cannot make a socket of the wall");
  int on = 1;
  sockaddr_in address4{};
  address4.sin_family = AF_INET;
  address4.sin_port = htons(port);
  address4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 address6{};
  address6.sin6_family = AF_INET6;
  address6.sin6_port = htons(port);
  address6.sin6_addr = in6addr_loopback;
  const auto* address = is_ipv6 ? reinterpret_cast<const sockaddr*>(&address6)
                                : reinterpret_cast<const sockaddr*>(&address4);
  socklen_t length = is_ipv6 ? sizeof address6 : sizeof address4;
  if (is_ipv6 && setsockopt(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) < 0)
    return fail_errno("cannot make a socket of the wall");
  if (bind(socket.get(), address, length) < 0)
    return fail_errno("cannot bind a socket of the wall");
  if (type == SOCK_STREAM && listen(socket.get(), kBacklog) < 0)
    return fail_errno("cannot listen at the wall");
  return socket;
}

}  // namespace

Status raise_loopback() {
  Fd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  strncpy(request.ifr_name, "lo", sizeof request.ifr_name - 1);
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  if (!socket || ioctl(socket.get(), SIOCSIFFLAGS, &request) < 0) {
    return fail_errno("cannot raise the loopback interface");
  }
  return {};
}

Result<WallSockets> build_network(const NetworkPlan& plan) {
  // The rules first: with the routes alone, every address would lead to whatever listens inside.
  TRY(netlink::request(NETLINK_NETFILTER, plan.redirect));
  TRY(netlink::request(NETLINK_ROUTE, route_all(AF_INET)));
  Status routed = netlink::request(NETLINK_ROUTE, route_all(AF_INET6));
  if (!routed && !has_no_ipv6(routed.error().err)) return std::unexpected(routed.error());
  struct {
    WallSocket which;
    bool is_ipv6;
    int type;
    uint16_t port;
  } const kinds[] = {
      {kWall4, false, SOCK_STREAM, plan.wall_port},
      {kNames4, false, SOCK_DGRAM, plan.resolver_port},
      {kNamesTcp4, false, SOCK_STREAM, plan.resolver_port},
      {kWall6, true, SOCK_STREAM, plan.wall_port},
      {kNames6, true, SOCK_DGRAM, plan.resolver_port},
      {kNamesTcp6, true, SOCK_STREAM, plan.resolver_port},
  };
  WallSockets sockets;
  sockets[kRules] = Fd(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_NETFILTER));
  if (!sockets[kRules]) return fail_errno("cannot make a socket of netfilter");
  for (const auto& kind : kinds) {
    if (kind.is_ipv6 && !routed) continue;
    auto socket = bind_loopback(kind.is_ipv6, kind.type, kind.port);
    if (socket) {
      sockets[kind.which] = std::move(*socket);
    } else if (!kind.is_ipv6 || !has_no_ipv6(socket.error().err)) {
      return std::unexpected(socket.error());
    }
  }
  return sockets;
}

}  // namespace ringwall::sandbox
