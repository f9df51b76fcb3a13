// How one text names what was refused within a connection that was granted: where, and what its
// bytes said. The same text stands for the same thing, in the record and in the score.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::events {

inline std::string name_content(std::string_view destination, std::string_view why) {
  return std::string(destination) + " (" + std::string(why) + ")";
}

// No host's name and no address ends like that.
inline bool is_content(std::string_view place) { return place.ends_with(')'); }

}  // namespace ringwall::events
