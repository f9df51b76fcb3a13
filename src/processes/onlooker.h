// Whoever looks on from outside and may end the run: a filter between its command and the caller.
#pragma once

#include <functional>

#include "events/event.h"

namespace ringwall::processes {

struct Onlooker {
  int fd = -1;  // -1: nobody
  // Called when something can be read there; false: the run is to end.
  std::function<bool(const std::function<void(const events::Event&)>& tell)> take = {};
};

}  // namespace ringwall::processes
