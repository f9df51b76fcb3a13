// Ports that are served inside and reached from the host's loopback. Whoever connects on the host
// is joined with a connection to loopback inside, made on a socket of the sandbox's own network
// that pid 1 hands out.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "policy/ports.h"

namespace ringwall::desks {

class PublishedPorts {
 public:
  // Binds them now: a port that is taken refuses the run.
  static Result<std::unique_ptr<PublishedPorts>> listen(
      const std::vector<policy::PublishedPort>& ports);

  // One more, or one less; who is connected stays so.
  Status add(const policy::PublishedPort& port);
  void remove(uint16_t on_host);

  // Whoever comes while they are shut is sent away.
  void shut(bool is_shut);

  using AskForSocket = std::function<void(bool is_ipv6)>;
  using Join = std::function<void(Fd inside, Fd outside)>;
  void serve_by(AskForSocket ask, Join join);

  int fd() const { return epoll_.get(); }
  void step();
  // The socket that was asked for first.
  void take_socket(Fd socket);

 private:
  struct Waiting {
    Fd client;
    uint16_t port = 0;
    bool is_ipv6 = false;
    Fd inside;
  };

  struct Listener {
    Fd socket;
    policy::PublishedPort port;
  };

  void accept_at(uint16_t on_host);
  void ask(Waiting waiting);
  void take_connected(uint32_t id);

  Fd epoll_;
  std::map<uint16_t, Listener> listeners_;  // by the host's port
  std::deque<Waiting> asked_;
  std::map<uint32_t, Waiting> connecting_;
  AskForSocket ask_;
  Join join_;
  uint32_t next_ = 1;
  bool is_shut_ = false;
};

}  // namespace ringwall::desks
