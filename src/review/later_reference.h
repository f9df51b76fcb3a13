// docs/runs-later.md, made from the table of runs_outside.h.
#pragma once

#include <string>

namespace ringwall::review {

std::string runs_later_page();

}  // namespace ringwall::review
