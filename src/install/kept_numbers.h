// Numbers of a person's settings: one that reading and writing would change is not touched.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace ringwall::install {

// The first number of the text that would be written otherwise, such as 1e400; empty: none.
std::string number_that_would_change(std::string_view text, const boost::json::object& parsed);

}  // namespace ringwall::install
