// "${BUILD_DIR:-build}": a word that only the environment can change from what the line says.
#pragma once

#include "shell/analysis.h"

namespace ringwall::gate {

// The same command stands in the analysis with every word known, and nothing before it in the line
// could have put something else there. That other one is judged by itself.
bool has_known_twin(const shell::Analysis& analysis, const shell::Act& act);

}  // namespace ringwall::gate
