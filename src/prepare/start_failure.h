// Why a command cannot be started, in words that say what to do: for `run`, `--explain` and `exec`
// alike.
#pragma once

#include <optional>
#include <string>

#include "events/event.h"
#include "prepare/prepare.h"
#include "sandbox/launch.h"

namespace ringwall::prepare {

struct StartFailure {
  events::CannotRun event;
  int exit_status;
};

// Before anything is built: a program that is not there, a folder, or not executable.
std::optional<StartFailure> foresee_start_failure(const Preparation& prepared);

// Told first, since nothing works without it: inside a sandbox this call is refused.
std::optional<sandbox::LaunchFailure> find_missing_openat2();

// What exec said inside.
events::CannotRun explain_exec_failure(const std::string& program, int err);

// A name that only a shell understands gets advice: `start` is what stands before "sh -c".
events::CannotRun advise(events::CannotRun event, const std::string& start);

}  // namespace ringwall::prepare
