// Gives up every capability, in all five sets, for good.
#pragma once

#include "base/result.h"

namespace ringwall::sandbox {

Status drop_capabilities();

}  // namespace ringwall::sandbox
