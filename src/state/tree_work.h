// Two that must not be at work in the same folders: a run that may change them, and an apply or
// undo that puts files in place there. Each first says so and then looks for the other, so that one
// of them always sees the other: the apply is refused then, the run waits with its start.
//
//   runs/NAME/writes   which trees a run may change; there before its control socket is
//   state/placing/ID   which trees somebody puts files in place in, locked by him
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "state/places.h"

namespace ringwall::state {

// Absolute paths, without links.
using Trees = std::vector<std::string>;

// `registration` is the folder of a run that is registered.
Status note_writes(int registration, const Trees& trees);
// Waits, then refuses to start. So it does at once beside one that was killed and not finished.
Status wait_for_placing(const Places& places, const Trees& trees,
                        std::chrono::milliseconds patience = std::chrono::seconds(10));

// As long as it lives.
class Placing {
 public:
  static Result<Placing> begin(const Places& places, const Trees& trees);
  Placing(Placing&&) = default;
  ~Placing();

 private:
  Placing() = default;
  Fd folder_, file_;
  std::string name_;
};

// One that was killed: what it had begun waits to be finished, maybe in the trees themselves.
struct KilledPlacing {
  std::string name;
  Trees trees;
};
Result<std::vector<KilledPlacing>> find_killed_placings(const Places& places);
// When they are finished.
void forget_placings(const Places& places, const std::vector<KilledPlacing>& killed);

// The name of a run that may change one of these, or something in or above them; empty if there is
// none. One that does not say what it may change counts as such.
Result<std::string> find_run_writing(const Places& places, const Trees& trees);

}  // namespace ringwall::state
