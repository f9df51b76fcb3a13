// One line of MCP over standard input and output: a JSON-RPC 2.0 message. Read strictly, since both
// sides may want the other to see something else than the filter does, and written anew, so that
// nothing passes that was not understood.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::mcp {

inline constexpr size_t kMostLine = 8u << 20;  // bytes

struct Message {
  enum class Kind { request, notification, response };
  Kind kind = Kind::request;
  boost::json::value id;       // of requests and responses: a text or a whole number
  std::string method;          // of requests and notifications
  boost::json::object params;  // empty if there are none
  bool has_params = false;
  boost::json::value result;  // of a response that went well
  boost::json::object error;  // of one that did not
  bool failed = false;

  // What a request and its response have in common.
  std::string key() const { return boost::json::serialize(id); }
  std::string line() const;  // without the line's end
};

// Batches, keys that stand twice (also in other letters, on the two upper levels), broken UTF-8,
// lines that are too long or too deep and ids that are none are errors.
Result<Message> parse_message(std::string_view line);

// A text that is not too long, or a whole number.
bool is_id(const boost::json::value& id);

// Whether a text in it holds a NUL, with which programs end texts early.
bool holds_nul(const boost::json::value& value);

// The id of a line that is too long to be read, as far as its beginning shows one; null if not.
boost::json::value guess_id(std::string_view beginning);

// Responses.
std::string result_line(const boost::json::value& id, boost::json::value result);
std::string error_line(const boost::json::value& id, int code, std::string_view text);

}  // namespace ringwall::mcp
