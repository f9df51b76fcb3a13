// Makes connections without waiting for any: tries the addresses that were checked, one after
// another, and through a company's proxy asks it for the name first.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "net/addresses.h"

namespace ringwall::net {

// The error of a proxy that asks for a login, or does not take the one it was given.
inline constexpr std::string_view kProxyWantsLogin = "the proxy wants a name and password";

struct Dial {
  std::vector<Address> addresses;  // tried in this order
  uint16_t port = 0;
  std::string proxy_request;  // sent first, and answered, where a proxy is dialled
};

// Whom a connected socket leads to.
std::optional<Address> peer_of(int socket);

class Dialer {
 public:
  using Done = std::function<void(uint32_t id, Result<Fd> connected)>;
  // Its sockets are watched by `epoll`, under their number with `tag` in the upper half.
  Dialer(int epoll, uint32_t tag, Done done) : epoll_(epoll), tag_(tag), done_(std::move(done)) {}

  void dial(uint32_t id, Dial dial);
  void take_event(uint32_t id);
  // Nobody wants it any more; it is reset, as whoever wanted it was.
  void forget(uint32_t id);

  // Monotonic; 0: nothing is waited for.
  int64_t next_deadline() const;
  void end_slow_ones(int64_t now);
  size_t count() const { return going_.size(); }

 private:
  struct Going {
    Dial dial;
    size_t tried = 0;
    Fd socket;
    int64_t deadline = 0;
    bool is_connected = false;
    size_t request_sent = 0;
    int last_error = 0;
  };

  void try_next(uint32_t id);
  bool start(uint32_t id, Going& going, const Address& address);
  void speak_with_proxy(uint32_t id, Going& going);
  void finish(uint32_t id, Result<Fd> result);

  int epoll_;
  uint32_t tag_;
  Done done_;
  std::map<uint32_t, Going> going_;
};

}  // namespace ringwall::net
