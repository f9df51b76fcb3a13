#include "desks/published_ports.h"
#include "base/epoll.h"

#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <cerrno>

namespace ringwall::desks {
namespace {

constexpr size_t kMostWaiting = 256;
constexpr uint64_t kListener = 1ull << 32;

Result<Fd> listen_on_loopback(uint16_t port) {
  Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  int on = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  bool made = socket && setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
              ::listen(socket.get(), SOMAXCONN) == 0;
  if (made) return socket;
  std::string what = "cannot publish a port at 127.0.0.1:" + std::to_string(port);
  return fail_errno(what, "choose another port of the host, as in --publish " +
                              std::to_string(port < 1024 ? port + 8000 : port + 1) + ":" +
                              std::to_string(port));
}

int connect_to_loopback(int socket, bool is_ipv6, uint16_t port) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = in6addr_loopback;
  return is_ipv6 ? connect(socket, reinterpret_cast<sockaddr*>(&six), sizeof six)
                 : connect(socket, reinterpret_cast<sockaddr*>(&four), sizeof four);
}

}  // namespace

Result<std::unique_ptr<PublishedPorts>> PublishedPorts::listen(
    const std::vector<policy::PublishedPort>& ports) {
  auto made = std::make_unique<PublishedPorts>();
  made->epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!made->epoll_) return fail_errno("cannot watch published ports");
  for (const policy::PublishedPort& port : ports)
    TRY(made->add(port));
  return made;
}

Status PublishedPorts::add(const policy::PublishedPort& port) {
  TRY_ASSIGN(Fd listener, listen_on_loopback(port.on_host));
  if (!epoll::add(epoll_.get(), listener.get(), kListener | port.on_host, EPOLLIN))
    return fail_errno("cannot watch a published port");
  listeners_.insert_or_assign(port.on_host, Listener{std::move(listener), port});
  return {};
}

void PublishedPorts::remove(uint16_t on_host) { listeners_.erase(on_host); }

void PublishedPorts::shut(bool is_shut) {
  is_shut_ = is_shut;
  if (is_shut_) connecting_.clear();  // a closed socket leaves the epoll by itself
}

void PublishedPorts::serve_by(AskForSocket ask, Join join) {
  ask_ = std::move(ask);
  join_ = std::move(join);
}

void PublishedPorts::step() {
  epoll_event events[32];
  int count = epoll_wait(epoll_.get(), events, std::size(events), 0);
  for (int i = 0; i < count; i++) {
    uint64_t about = events[i].data.u64;
    if ((about & kListener) != 0) {
      accept_at(static_cast<uint16_t>(about));
    } else {
      take_connected(static_cast<uint32_t>(about));
    }
  }
}

void PublishedPorts::accept_at(uint16_t on_host) {
  auto found = listeners_.find(on_host);
  if (found == listeners_.end()) return;
  Listener& listener = found->second;
  Fd client(accept4(listener.socket.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!client || is_shut_ || asked_.size() + connecting_.size() >= kMostWaiting) return;
  ask({std::move(client), listener.port.inside, false, Fd()});
}

void PublishedPorts::ask(Waiting waiting) {
  bool is_ipv6 = waiting.is_ipv6;
  asked_.push_back(std::move(waiting));
  ask_(is_ipv6);
}

void PublishedPorts::take_socket(Fd socket) {
  if (asked_.empty()) return;
  Waiting waiting = std::move(asked_.front());
  asked_.pop_front();
  waiting.inside = std::move(socket);
  if (!waiting.inside || is_shut_) return;
  uint32_t id = next_++;
  if (connect_to_loopback(waiting.inside.get(), waiting.is_ipv6, waiting.port) < 0 &&
      errno != EINPROGRESS) {
    return;
  }
  if (!epoll::add(epoll_.get(), waiting.inside.get(), id, EPOLLOUT)) return;
  connecting_.emplace(id, std::move(waiting));
}

void PublishedPorts::take_connected(uint32_t id) {
  auto found = connecting_.find(id);
  if (found == connecting_.end()) return;
  Waiting waiting = std::move(found->second);
  connecting_.erase(found);
  (void)epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, waiting.inside.get(), nullptr);
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(waiting.inside.get(), SOL_SOCKET, SO_ERROR, &error, &size) < 0) return;
  if (error == 0) return join_(std::move(waiting.inside), std::move(waiting.client));
  // Some serve at ::1 alone.
  if (waiting.is_ipv6) return;
  waiting.is_ipv6 = true;
  waiting.inside.close();
  ask(std::move(waiting));
}

}  // namespace ringwall::desks
