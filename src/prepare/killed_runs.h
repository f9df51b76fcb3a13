// What runs that were killed have left in the trees of this one, put in order before it is looked
// at.
#pragma once

#include "base/result.h"

namespace ringwall::prepare {

struct Preparation;

// What such a run, or a crash, has left half done.
Status mend_configs(Preparation& run);

// Before the search: what lies there then is taken for the person's own.
Status sweep_leftovers(Preparation& run);

}  // namespace ringwall::prepare
