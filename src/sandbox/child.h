// The child of the launch: from a fresh set of namespaces to pid 1 of a finished sandbox.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "base/standing_tasks.h"
#include "sandbox/landlock.h"
#include "sandbox/mounts.h"
#include "sandbox/network.h"
#include "sandbox/plan.h"
#include "sandbox/pty.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {

// A function of Ringwall's own that pid 1 can run in a process set up just like a spawned program.
using RunBuiltin = int (*)(const std::string& name, const std::vector<std::string>& arguments);

struct ChildInputs {
  const Plan& plan;
  OpenedTrees opened;  // empty unless root is the caller
  Fd channel;          // to the supervisor
  int stdio[3] = {0, 1, 2};
  std::optional<TerminalRequest> terminal;  // stands in for some of `stdio`
  std::span<char> start_area;  // arguments and environment of the supervisor, to be wiped
  RunBuiltin run_builtin = nullptr;
  StandingTasks standing = {};  // with an exec stop
  bool is_mapped = false;       // its ids were mapped before it was there
};

// What the hand works with, on its way there.
struct ForHand {
  Fd renames;  // the listener, if renames are caught
  Fd behind;   // see NewRoot
  Fd mask;     // see NewRoot
};

inline constexpr size_t kMostServed = 3;

// What the child has made and others work with.
struct HandedOut {
  ForHand for_hand;
  WallSockets wall;
  std::array<Fd, kMostServed> served;  // the plan's sockets, in the order of their paths
};

struct ChildState {
  const ChildInputs& inputs;
  Fd root;  // between assembling and entering
  HandedOut handed_out;
  Pty pty;  // of the main command
};

struct Step {
  Wall wall;
  const char* name;
  Status (*apply)(ChildState&);
};

// In the order in which they are taken, with the reason for the order beside each.
std::span<const Step> child_steps();

// `ps` shows what stands there; the environment lies right behind the arguments.
void overwrite_start_area(std::span<char> area, const char* name);

[[noreturn]] void run_child(ChildInputs inputs);

}  // namespace ringwall::sandbox
