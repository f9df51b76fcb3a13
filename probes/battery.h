// How probes are started: by pid 1 of a sandbox, as a function linked into Ringwall.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "probes/probe.h"

namespace ringwall::probes {

// "verify" with the Outside as JSON, and perhaps the numbers of the promises wanted: runs every
// probe and writes one JSON object a line to descriptor 1:
// {"promise":"P07","finding":"held","evidence":"…"}. With "--acts" each line also holds what every
// single act met: {"acts":{"read by its path":"ENOENT",…}}, empty if it got through. "wait": waits
// for ever. "stubborn": processes that do not want to end. Returns an exit status: 0 if all could
// be run.
int run_builtin(const std::string& name, const std::vector<std::string>& arguments);

// One such line.
Status write_line(std::string_view promise, const Verdict& verdict, bool with_acts);

}  // namespace ringwall::probes
