// JSON without what nobody sees, and all texts of it for whoever looks through them.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace ringwall::mcp {

// Hidden characters are taken out of every text. False if a key holds some: then it is no data that
// anybody could use.
bool clean(boost::json::value& value);

// All texts, then all keys, each on lines of its own: a model reads both.
std::string texts_of(const boost::json::value& value);

}  // namespace ringwall::mcp
