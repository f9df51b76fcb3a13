// From an agent's tool and its fields to calls in Claude's terms. One call can become several: a
// patch names many files, and each is judged.
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "gate/dialect.h"
#include "gate/tool_call.h"

namespace ringwall::gate {

// What a call whose fields are not what the tool's are would do is not known: an error. A tool that
// no table has is no error; its call says so.
Result<std::vector<ToolCall>> translate(const Dialect& dialect, std::string_view tool,
                                        boost::json::object input, const std::string& folder);

// The files that a patch in the form of `*** Begin Patch` writes, moves or removes.
Result<std::vector<ToolCall>> read_patch(std::string_view patch, const std::string& folder);

}  // namespace ringwall::gate
