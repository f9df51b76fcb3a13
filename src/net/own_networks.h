// The networks that this machine's interfaces are in: what lies there is near, whatever its number.
#pragma once

#include <vector>

#include "base/result.h"
#include "net/egress.h"

namespace ringwall::net {

Result<std::vector<OwnNetwork>> read_own_networks();

}  // namespace ringwall::net
