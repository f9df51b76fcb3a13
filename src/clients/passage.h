// From a descriptor to one that may take its time: what there is no room for waits here, and behind
// it whoever writes, but not the front end.
#pragma once

#include <poll.h>

#include <functional>
#include <string>
#include <string_view>

#include "base/fd.h"
#include "base/slow_reader.h"

namespace ringwall::clients {

class Passage {
 public:
  using Change = std::function<std::string(std::string_view)>;

  // `to` stays the caller's.
  Passage(Fd from, int to, Change change = nullptr)
      : from_(std::move(from)), to_(to), change_(std::move(change)) {}

  // What it waits for; `step` when that has come.
  pollfd wait() const;
  void step();
  // Until nothing has come for so long, in milliseconds, or nothing was taken.
  void finish(int patience);

 private:
  Fd from_;
  SlowReader to_;
  Change change_;
};

}  // namespace ringwall::clients
