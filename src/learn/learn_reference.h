// docs/learn.md, with the tables that the program itself uses.
#pragma once

#include <string>

namespace ringwall::learn {

std::string learn_page();

}  // namespace ringwall::learn
