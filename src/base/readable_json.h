// JSON as people write their settings: two blanks a level, a list of plain values on one line.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace ringwall {

// Without a line end behind it.
std::string readable_json(const boost::json::value& value);

}  // namespace ringwall
