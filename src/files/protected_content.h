// Names of the table that ordinary work writes: what such a file says decides whether something
// outside would run by it. Any bytes may come; each is one pass. Lenient towards what people write,
// strict towards what two readers may read differently.
#pragma once

#include <string>
#include <string_view>

namespace ringwall::files {

// Why something would run by the file; empty: nothing would.

// .env: read by direnv's dotenv and the like, which take its variables, and by plugins of shells,
// which run it.
std::string judge_env(std::string_view text);
// .tool-versions, of asdf and mise.
std::string judge_tool_versions(std::string_view text);
// pnpm-workspace.yaml, which has been the place of pnpm's settings since its version 10.
std::string judge_pnpm_workspace(std::string_view text);

}  // namespace ringwall::files
