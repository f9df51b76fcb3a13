// What kill, pkill and killall would end.
#pragma once

#include "gate/code_source.h"
#include "gate/operands.h"

namespace ringwall::gate {

// kill -9 -1; not kill -1 4711, which is a signal.
bool names_every_process(const Operands& operands);

// By name, by an expression that fits it, or by a number that the same line looks for by that name.
FromThere names_ringwall(const shell::Analysis& analysis, const Operands& operands);

}  // namespace ringwall::gate
