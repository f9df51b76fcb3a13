// What the person said to an agent last, from the file in which the agent keeps the conversation:
// lines of JSON, in the form of Claude Code or of Codex. The agent can write there, so this is a
// context for who can only be stricter, and no more.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ringwall::gate {

// `tail` is the end of such a file and may begin in the middle of a line. Oldest first.
std::vector<std::string> last_messages(std::string_view tail, size_t most);

// Reads the end of the file; nothing if it cannot be read.
std::vector<std::string> read_last_messages(const std::string& path, size_t most);

}  // namespace ringwall::gate
