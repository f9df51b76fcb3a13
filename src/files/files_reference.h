// docs/protected-files.md and docs/hidden-files.md, made from the tables of protected.h and
// hidden.h.
#pragma once

#include <string>

namespace ringwall::files {

std::string protected_page();
std::string hidden_page();

}  // namespace ringwall::files
