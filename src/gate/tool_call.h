// A tool call in the terms of Claude Code, whatever agent sent it: the dialects translate.
#pragma once

#include <boost/json.hpp>
#include <string>

namespace ringwall::gate {

struct ToolCall {
  // Bash, Read, Edit, Write, NotebookEdit, Glob, Grep, WebFetch, WebSearch, Agent,
  // mcp__server__tool, or as it was sent.
  std::string tool;
  bool known = true;          // false: no table knows this tool; denied unless a rule names it
  boost::json::object input;  // in Claude's names: command, file_path, notebook_path, path, url …
  std::string folder;         // where the agent stands, absolute
};

}  // namespace ringwall::gate
