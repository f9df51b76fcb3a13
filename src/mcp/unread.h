// What can still be seen of a line that is refused: whose request it was, or whose answer, so that
// nobody waits for ever.
#pragma once

#include <boost/json.hpp>
#include <string_view>
#include <vector>

namespace ringwall::mcp {

struct Unread {
  boost::json::value id;  // null if there is none that could be one
  bool asks = false;      // it names a method
  bool answers = false;   // it holds a result or an error
};

// One, or those of a batch. Nothing for what is no message at all.
std::vector<Unread> look_at_unread(std::string_view line);

// The other ways to write this id: 31, 31.0 and "31".
std::vector<boost::json::value> spellings_of(const boost::json::value& id);

}  // namespace ringwall::mcp
