// ringwall hook --walled: what an installation puts into an agent's own settings. Inside a run it
// says nothing; outside it refuses, unless the person has turned the walls off.
#pragma once

#include <string>

#include "gate/dialect.h"

namespace ringwall::cli {

int run_walled_hook(const gate::Dialect& dialect, const std::string& event);

}  // namespace ringwall::cli
