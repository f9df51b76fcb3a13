// How probes are started: by pid 1 of a sandbox, as a function linked into Ringwall.
#pragma once

#include <string>
#include <vector>

namespace ringwall::probes {

// "verify" with the Outside as JSON, and perhaps the numbers of the promises wanted: runs every
// probe and writes one JSON object a line to descriptor 1:
// {"promise":"P07","finding":"held","evidence":"…"}. With "--acts" each line also holds what every
// single act met: {"acts":{"read by its path":"ENOENT",…}}, empty if it got through. "wait": waits
// for ever. Returns an exit status: 0 if all could be run.
int run_builtin(const std::string& name, const std::vector<std::string>& arguments);

}  // namespace ringwall::probes
