// Puts the filter's process between this process's standard descriptors and those that a run gets:
// what was 0 to 2 is the agent's from here on, what becomes 0 to 2 leads to the filter.
#pragma once

#include <span>

#include "base/fd.h"
#include "base/result.h"
#include "events/event.h"
#include "mcp/filter.h"
#include "processes/onlooker.h"

namespace ringwall::tool_calls {

class McpFilter {
 public:
  McpFilter() = default;
  McpFilter(McpFilter&&) = default;

  static Result<McpFilter> start(mcp::FilterSettings settings, Fd notes,
                                 std::span<char> start_area);

  // For the supervisor, which hears what the filter reports.
  processes::Onlooker onlooker(std::string run);

  // Where the person reads.
  int person() const { return person_.get(); }

  // The run has ended: waits a moment until its last lines are delivered.
  void finish();

 private:
  std::string server_;
  Fd person_;
  Fd channel_;
  pid_t pid_ = -1;
};

}  // namespace ringwall::tool_calls
