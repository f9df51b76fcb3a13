// How much room something takes, in words.
#pragma once

#include <cstdint>
#include <string>

namespace ringwall::cli {

// "12 B", "1.5 KiB", "at least 3.0 MiB" where not all of it could be looked at.
std::string describe_size(uint64_t bytes, bool whole);

}  // namespace ringwall::cli
