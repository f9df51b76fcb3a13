// Programs that belong to a package of the system: dpkg is told where they lie now, so that updates
// of the package go there too.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::install {

// False where there is no dpkg.
bool is_owned_by_a_package(const std::string& path);

// Moves it, for dpkg and on the disk.
Status divert(const std::string& path, const std::string& to);
// The way back. Nothing may lie at `path`.
Status end_diversion(const std::string& path);

}  // namespace ringwall::install
