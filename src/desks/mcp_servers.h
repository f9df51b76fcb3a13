// MCP servers that an agent inside may have started outside, each in a sandbox of its own by
// `ringwall mcp`: only those that the policy names, by the command that stands there. What comes
// from inside is a name, and the bytes that the filter reads.
#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "policy/policy.h"

namespace ringwall::desks {

class McpServers {
 public:
  McpServers() = default;
  // `named` is tools.mcp_servers; the servers have the same workspace.
  McpServers(const std::vector<policy::Text>& named, std::string workspace);
  McpServers(McpServers&& other) noexcept { swap(other); }
  McpServers& operator=(McpServers&& other) noexcept {
    swap(other);
    return *this;
  }
  // They end with the run.
  ~McpServers();

  // Starts one; what is returned is for the inside, a stream of MCP lines both ways.
  Result<Fd> start(const std::string& name);

 private:
  void swap(McpServers& other) noexcept;
  void reap();

  std::map<std::string, std::string> commands_;  // by name, as written
  std::string workspace_;
  std::vector<pid_t> running_;
  size_t started_ = 0;
};

}  // namespace ringwall::desks
