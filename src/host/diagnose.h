// Why a wall cannot be built on this host, and the exact command that mends it. `run` and `doctor`
// use the same words.
#pragma once

#include <string>
#include <vector>

#include "host/surroundings.h"
#include "sandbox/launch.h"

namespace ringwall::host {

struct Diagnosis {
  std::string reason;
  std::string mend;    // may be empty
  sandbox::Wall wall;  // the one that is really missing: all namespaces are made by one call
};

Diagnosis diagnose(const sandbox::LaunchFailure& failure);

// The same without a look at the host: the first cause of the table that fits.
Diagnosis diagnose(const sandbox::LaunchFailure& failure, const Surroundings& host);

// Kernel switches that stand in the way of this caller, whatever else may.
std::vector<Diagnosis> closed_switches(const Surroundings& host);

}  // namespace ringwall::host
