// The process that the filter runs in: it holds both sides' descriptors, and nothing else. Its
// walls are those of all helpers (sandbox/helper_walls.h): it opens and starts nothing.
#pragma once

#include <string_view>

#include "base/result.h"
#include "mcp/filter.h"

namespace ringwall::mcp {

// What the supervisor hears. Texts are of the server's choice: they are shown, never used.
struct FilterNotice {
  enum class Type : uint32_t {
    report = 1,
    ends,  // the agent has gone, and the server does not end by itself
  };
  Type type = Type::report;
  Report::Kind kind = Report::Kind::refused;
  int32_t weight = 0;
  char tool[160] = {};
  char what[512] = {};
  char rule[160] = {};
};

Result<FilterNotice> parse_filter_notice(std::string_view bytes);

struct FilterEnds {
  int agent_in = -1, agent_out = -1;
  int server_in = -1, server_out = -1, server_errors = -1;
  int person = -1;      // where the server's errors are shown
  int supervisor = -1;  // a channel
  int notes = -1;       // a file that is only added to
};

// Does not return. When the agent closes its side the server's input is closed; what does not end
// then is reported after two seconds.
[[noreturn]] void run_filter(Filter filter, const FilterEnds& ends);

}  // namespace ringwall::mcp
