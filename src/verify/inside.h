// The probes behind the walls: run by pid 1 of a sandbox, in one of verify's own or in a run that
// is going on.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "probes/probe.h"
#include "verify/answers.h"

namespace ringwall::verify {

// Tries these promises; answer lines go to `answers`, straight from inside.
Status probe_run(const std::string& run_name, const probes::Outside& outside,
                 std::span<const std::string_view> promises, int answers);

// Tries one, and reads its answer.
Result<Verdict> ask_probe(const std::string& run_name, const probes::Outside& facts,
                          std::string_view promise);

// In a fresh sandbox, with the canaries in the environment and among the open files of its
// supervisor.
Status probe_own_sandbox(const std::string& home_name, const probes::Outside& outside,
                         std::span<const std::string_view> promises, int answers);

}  // namespace ringwall::verify
