// A second opinion on tool calls that the rules leave open: what is sent to a model, and what its
// answer means. It can only make an answer stricter: whatever is said in the call to sway it, the
// worst that comes of it is what would have been without it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "gate/answer.h"

namespace ringwall::gate {

// Which API a server speaks: the path of its URL says so.
enum class ApiShape : uint8_t { anthropic, openai };
Result<ApiShape> api_shape_of(std::string_view url);

struct AdviceQuestion {
  std::string tool;                 // in Claude's terms
  std::string input;                // JSON
  std::string folder;               // where the agent stands
  std::vector<std::string> person;  // what the person said last, oldest first
};

struct ModelRequest {
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
ModelRequest make_advice_request(ApiShape shape, std::string_view model, std::string_view key,
                                 const AdviceQuestion& question);

struct Advice {
  Answer answer = Answer::open;  // open, ask or deny
  std::string reason;
};
// An answer that cannot be read is an error; the asker takes it for "ask".
Result<Advice> read_advice(ApiShape shape, std::string_view body);

}  // namespace ringwall::gate
