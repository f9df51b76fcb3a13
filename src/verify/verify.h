// `ringwall verify`: plants canaries, runs the probes inside and the checks outside, side by side,
// and gathers what they found.
#pragma once

#include <string>

#include "base/result.h"
#include "verify/report.h"

namespace ringwall::verify {

// `run`: the name of a run that is going on; empty: a sandbox of verify's own. An error means that
// nothing was verified; EINTR that the person has interrupted it.
Result<Report> verify(const std::string& run);

}  // namespace ringwall::verify
