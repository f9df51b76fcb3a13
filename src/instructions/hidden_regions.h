// Parts of a text that its reader does not see when it is shown as a page: comments, elements with
// invisible styles, attributes, markdown that renders to nothing, text pushed out of sight.
#pragma once

#include <string_view>
#include <vector>

namespace ringwall::instructions {

struct Region {
  size_t from = 0, to = 0;
  std::string_view kind;  // "in an HTML comment"
};

// By where they begin, none over another.
std::vector<Region> find_hidden_regions(std::string_view text);

}  // namespace ringwall::instructions
