// How agents are started in continuous integration: shared by what reads workflows.
#pragma once

#include <string_view>

namespace ringwall::audit {

// The part of a command that starts an agent; empty: none does.
std::string_view find_agent_command(std::string_view commands);
// The option that makes it act without a question; empty: none.
std::string_view find_unasked(std::string_view commands);

}  // namespace ringwall::audit
