// --explain: the plan of a run, each part with its reason.
#pragma once

#include "session/prepare.h"

namespace ringwall::cli {

void print_explanation(const session::Preparation& prepared, bool json);

}  // namespace ringwall::cli
