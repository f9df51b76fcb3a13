// A run's description of itself, as a person reads it: shared by ls, inspect and top.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <vector>

namespace ringwall::cli {

// The member as text; empty if it is not there.
std::string text_of(const boost::json::object& run, const char* key);
std::vector<std::string> list_of(const boost::json::object& run, const char* key);

std::string command_of(const boost::json::object& run);  // quoted
std::string agent_of(const boost::json::object& run);    // the program's name
std::string state_of(const boost::json::object& run);    // "running", "paused", "asks"
std::string since_of(const boost::json::object& run);    // "3h 12m"

}  // namespace ringwall::cli
