// Can this host take connections to the wall? Tried by the very step of a run's child.
#pragma once

#include "sandbox/host_checks.h"

namespace ringwall::verify {

sandbox::TrialResult try_redirect();

}  // namespace ringwall::verify
