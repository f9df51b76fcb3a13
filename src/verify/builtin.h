// The functions that pid 1 of a sandbox can run instead of a program: the probes.
#pragma once

#include "probes/battery.h"

namespace ringwall::verify {

using probes::run_builtin;

}  // namespace ringwall::verify
