// Filtered output for a terminal that does not read UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::terminal {

// A question mark for each character beyond ASCII: of its bytes, such a terminal would read some as
// controls.
std::string narrow(std::string_view utf8);

}  // namespace ringwall::terminal
