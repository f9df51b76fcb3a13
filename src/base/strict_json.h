// JSON from somebody who may want two readers to see two things: what parsers read differently is
// an error here. UTF-8 must be right, no key stands twice in an object, depth and size have an end.
#pragma once

#include <boost/json.hpp>
#include <string_view>

#include "base/result.h"

namespace ringwall::strict_json {

struct Limits {
  size_t bytes = 8u << 20;
  size_t depth = 64;
};

Result<boost::json::value> parse(std::string_view text, const Limits& limits = {});

// The same, and it must be an object.
Result<boost::json::object> parse_object(std::string_view text, const Limits& limits = {});

}  // namespace ringwall::strict_json
