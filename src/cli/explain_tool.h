// ringwall explain tool and explain command: what the gate would answer to a tool call, part by
// part.
#pragma once

#include <string>

#include "base/result.h"
#include "gate/decide.h"

namespace ringwall::cli {

struct ToolQuestion {
  bool is_command = false;  // the subject is a shell command, else a hook's JSON
  std::string subject;
  std::string agent;   // whose names the tool and its fields have; empty: claude
  std::string folder;  // where the agent stands, unless the JSON says it
};

Result<gate::Decision> decide_question(const ToolQuestion& question, const policy::Tools& tools,
                                       const gate::Place& place);

void print_decision(const gate::Decision& decision, bool json);

}  // namespace ringwall::cli
