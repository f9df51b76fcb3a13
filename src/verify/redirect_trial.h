// Can this host take connections to the wall? Tried by the very step of a run's child.
#pragma once

#include "host/trial.h"

namespace ringwall::verify {

host::TrialResult try_redirect();

}  // namespace ringwall::verify
