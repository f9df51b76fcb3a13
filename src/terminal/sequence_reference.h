// docs/terminal.md, made from the table in sequences.h.
#pragma once

#include <string>

namespace ringwall::terminal {

std::string sequence_page();

}  // namespace ringwall::terminal
