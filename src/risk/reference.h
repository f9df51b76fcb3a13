// docs/risk.md, from the tables by which the program counts.
#pragma once

#include <string>

namespace ringwall::risk {

std::string risk_page();

}  // namespace ringwall::risk
