#include "net/dialer.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/clock.h"
#include "base/epoll.h"
#include "net/connection.h"

namespace ringwall::net {
namespace {

constexpr size_t kMostTried = 6;                   // addresses of one name
constexpr int64_t kPatience = 20'000'000'000;      // nanoseconds for the last address
constexpr int64_t kShortPatience = 2'000'000'000;  // while there are others
constexpr size_t kLongestAnswer = 8192;            // of a proxy

struct SocketAddress {
  sockaddr_in6 storage{};
  socklen_t size = 0;
};

SocketAddress socket_address(const Address& address, uint16_t port) {
  SocketAddress made;
  if (address.is_ipv6) {
    made.storage.sin6_family = AF_INET6;
    made.storage.sin6_port = htons(port);
    memcpy(&made.storage.sin6_addr, address.bytes, 16);
    made.size = sizeof(sockaddr_in6);
  } else {
    auto* four = reinterpret_cast<sockaddr_in*>(&made.storage);
    four->sin_family = AF_INET;
    four->sin_port = htons(port);
    memcpy(&four->sin_addr, address.bytes, 4);
    made.size = sizeof(sockaddr_in);
  }
  return made;
}

int error_of(int socket) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return errno;
  return error;
}

}  // namespace

std::optional<Address> peer_of(int socket) {
  sockaddr_in6 peer{};
  socklen_t size = sizeof peer;
  if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &size) < 0) return std::nullopt;
  Address address{peer.sin6_family == AF_INET6, {}};
  if (address.is_ipv6) {
    memcpy(address.bytes, &peer.sin6_addr, 16);
  } else {
    memcpy(address.bytes, &reinterpret_cast<const sockaddr_in*>(&peer)->sin_addr, 4);
  }
  return address;
}

void Dialer::dial(uint32_t id, Dial dial) {
  Going& going = going_[id];
  going = {};
  going.dial = std::move(dial);
  try_next(id);
}

bool Dialer::start(uint32_t id, Going& going, const Address& address) {
  going.socket = Fd(::socket(address.is_ipv6 ? AF_INET6 : AF_INET,
                             SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
  if (!going.socket) return false;
  SocketAddress to = socket_address(address, going.dial.port);
  if (connect(going.socket.get(), reinterpret_cast<sockaddr*>(&to.storage), to.size) < 0 &&
      errno != EINPROGRESS) {
    return false;
  }
  return epoll::add(epoll_, going.socket.get(), static_cast<uint64_t>(tag_) << 32 | id, EPOLLOUT);
}

void Dialer::try_next(uint32_t id) {
  Going& going = going_.at(id);
  size_t most = std::min(going.dial.addresses.size(), kMostTried);
  while (going.tried < most) {
    const Address& address = going.dial.addresses[going.tried++];
    going.is_connected = false;
    going.request_sent = 0;
    bool is_last = going.tried == most;
    going.deadline = clock::monotonic() + (is_last ? kPatience : kShortPatience);
    if (start(id, going, address)) return;
    going.last_error = errno;
  }
  int error = going.last_error != 0 ? going.last_error : EHOSTUNREACH;
  finish(id, std::unexpected(Error{"cannot be reached", error, {}}));
}

void Dialer::finish(uint32_t id, Result<Fd> result) {
  if (result) (void)epoll_ctl(epoll_, EPOLL_CTL_DEL, result->get(), nullptr);
  going_.erase(id);
  done_(id, std::move(result));
}

// An orderly end would keep its port busy for a minute: whoever comes and goes often enough could
// use up all that there are.
void Dialer::forget(uint32_t id) {
  auto found = going_.find(id);
  if (found == going_.end()) return;
  if (found->second.socket) end_by_reset(found->second.socket.get());
  going_.erase(found);
}

void Dialer::take_event(uint32_t id) {
  auto found = going_.find(id);
  if (found == going_.end()) return;
  Going& going = found->second;
  if (!going.is_connected) {
    if (int error = error_of(going.socket.get()); error != 0) {
      going.last_error = error;
      return try_next(id);
    }
    going.is_connected = true;
    if (going.dial.proxy_request.empty()) return finish(id, std::move(going.socket));
  }
  speak_with_proxy(id, going);
}

// The proxy's head is looked at and taken off byte for byte: what follows it is not ours.
void Dialer::speak_with_proxy(uint32_t id, Going& going) {
  int socket = going.socket.get();
  const std::string& request = going.dial.proxy_request;
  while (going.request_sent < request.size()) {
    ssize_t count = send(socket, request.data() + going.request_sent,
                         request.size() - going.request_sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) return finish(id, fail_errno("the proxy ended the connection"));
    going.request_sent += static_cast<size_t>(count);
  }
  (void)epoll::change(epoll_, socket, static_cast<uint64_t>(tag_) << 32 | id, EPOLLIN | EPOLLET);
  char head[kLongestAnswer];
  ssize_t count = recv(socket, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
  if (count < 0 && errno == EAGAIN) return;
  if (count <= 0) return finish(id, fail("the proxy ended the connection"));
  std::string_view seen(head, static_cast<size_t>(count));
  size_t end = seen.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    if (seen.size() == sizeof head) return finish(id, fail("the proxy's answer is too long"));
    return;
  }
  bool is_http = seen.starts_with("HTTP/1.") && seen.size() > 12;
  if (!is_http || seen.substr(9, 3) != "200") {
    bool wants_password = is_http && seen.substr(9, 3) == "407";
    return finish(id, fail(wants_password ? std::string(kProxyWantsLogin)
                                          : "the proxy refused the connection"));
  }
  (void)recv(socket, head, end + 4, MSG_DONTWAIT);
  finish(id, std::move(going.socket));
}

int64_t Dialer::next_deadline() const {
  int64_t next = 0;
  for (const auto& [id, going] : going_) {
    if (next == 0 || going.deadline < next) next = going.deadline;
  }
  return next;
}

void Dialer::end_slow_ones(int64_t now) {
  std::vector<uint32_t> slow;
  for (auto& [id, going] : going_) {
    if (going.deadline > now) continue;
    going.last_error = ETIMEDOUT;
    slow.push_back(id);
  }
  for (uint32_t id : slow)
    try_next(id);
}

}  // namespace ringwall::net
