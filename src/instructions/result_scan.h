// Hidden instructions in what a tool brings back: a file, a web page, the answer of an MCP server.
//
// Looks at the whole text, in time linear in its length, for what a person would not see
// (characters without width, tags, bidirectional marks, comments, invisible styles, terminal
// escapes) and for words that are meant for the assistant, however they are spelled. A guard rail:
// whoever writes around it gets around it, and no promise rests on it. docs/results.md has the
// measured numbers.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ringwall::instructions {

struct Finding {
  std::string kind;     // "tag characters"; a few words that a person understands
  std::string excerpt;  // made harmless to show
  size_t at = 0;        // byte of the text
  int weight = 0;       // 1 to 10
};

// A finding of this weight is told to the person and the agent, and counts for the risk.
inline constexpr int kTellWeight = 5;

// By where they stand. At most a hundred: the heaviest.
std::vector<Finding> scan_result(std::string_view text);

bool is_worth_telling(std::span<const Finding> findings);

// What the agent hears of them, in one paragraph; empty if none is worth telling. `source` says
// where the text came from.
std::string warn_agent(std::span<const Finding> findings, std::string_view source);

}  // namespace ringwall::instructions
