// How tools.deny, tools.ask and tools.allow are written: the permission rules of Claude Code, such
// as Bash(git push *), Read(~/.ssh/**), WebFetch(domain:example.com), mcp__server__tool. Here is
// only how it is written; gate/ matches it. What could never match, or means less than it looks, is
// an error.
//
// A rule that says more is a table in TOML and a JSON object elsewhere:
//   {"rule": "Bash(rm *)", "reason": "…", "hint": "use trash", "tell": "hint"}
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace ringwall::policy {

struct ToolRule {
  std::string tool;     // may hold '*'
  std::string content;  // what stands in the brackets; "" if nothing does, or '*'
  std::string reason;   // for the person, and for the agent if `tell` says so
  std::string hint;     // what to do instead
  std::string tell;     // what the agent hears: reason, refusal, hint
};

// "Read(//x)", "{…}" alike. `allows`: for tools.allow, which knows fewer globs.
Result<ToolRule> parse_tool_rule(std::string_view text, bool allows);

// As it is kept in a policy: "/x" in the brackets of Read and Edit begins at `folder`, in which the
// rule was written.
Result<std::string> check_tool_rule(std::string_view text, bool allows, std::string_view folder);

// The names of tools.packs; gate/packs.h holds what is in them.
std::span<const std::string_view> tool_packs();

}  // namespace ringwall::policy
