// The port at which an agent waits for the browser during a login: published at the same number of
// the host's loopback while it listens, for a person who asked for that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "desks/published_ports.h"
#include "events/event.h"

namespace ringwall::desks {

class LoginCallback {
 public:
  using Tell = std::function<void(const events::Event&)>;
  // `known`: ports that are published in any case.
  LoginCallback(PublishedPorts& ports, pid_t init, std::set<uint16_t> known, Tell tell);

  int64_t next_look() const { return next_look_; }  // monotonic; 0: never again
  void look();

 private:
  PublishedPorts& ports_;
  pid_t init_;
  std::set<uint16_t> known_;
  Tell tell_;
  int64_t until_;
  int64_t next_look_;
  uint16_t published_ = 0;
};

// Ports that something inside listens at, seen through one of its processes.
std::set<uint16_t> list_listening_ports(pid_t process);

}  // namespace ringwall::desks
