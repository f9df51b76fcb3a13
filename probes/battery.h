// How probes are started: by pid 1 of a sandbox, as a function linked into Ringwall.
#pragma once

#include <string>
#include <vector>

namespace ringwall::probes {

// "verify" with the Outside as JSON: runs every probe and writes one JSON object a line to
// descriptor 1:
// {"promise":"P07","finding":"held","evidence":"…"}. "wait": waits for ever. Returns an exit
// status.
int run_builtin(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace ringwall::probes
