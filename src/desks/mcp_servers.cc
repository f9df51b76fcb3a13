#include "desks/mcp_servers.h"

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/spawn_program.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::desks {
namespace {

constexpr size_t kMostRunning = 16;
constexpr size_t kMostStarted = 200;  // in one run
constexpr int64_t kEndMilliseconds = 900;
constexpr int64_t kMillisecond = 1'000'000;

// "ARGS" is a command, "FLAGS -- COMMAND" has flags for `ringwall mcp` before it.
std::vector<std::string> words_for(const std::string& name, const std::string& workspace,
                                   const std::string& command) {
  std::vector<std::string> words = {"ringwall", "mcp", "--name", name, "--workspace", workspace};
  std::vector<std::string> written;
  bool has_mark = false;
  for (const std::string& word : text::split(command, ' ')) {
    has_mark = has_mark || word == "--";
    if (!word.empty()) written.push_back(word);
  }
  if (!has_mark) words.emplace_back("--");
  words.insert(words.end(), written.begin(), written.end());
  return words;
}

}  // namespace

McpServers::McpServers(const std::vector<policy::Text>& named, std::string workspace)
    : workspace_(std::move(workspace)) {
  for (const policy::Text& entry : named) {
    size_t equals = entry.value.find('=');
    commands_[entry.value.substr(0, equals)] = entry.value.substr(equals + 1);
  }
}

McpServers::~McpServers() {
  for (pid_t pid : running_)
    kill(pid, SIGTERM);
  // All of them together: a run that is killed is gone within a second.
  int64_t until = clock::monotonic() + kEndMilliseconds * kMillisecond;
  for (pid_t pid : running_) {
    Fd process(sys::pidfd_open(pid, 0));
    pollfd ends{process.get(), POLLIN, 0};
    auto left = static_cast<int>(std::max<int64_t>(0, until - clock::monotonic()) / kMillisecond);
    if (!process || poll(&ends, 1, left) <= 0) kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
}

void McpServers::swap(McpServers& other) noexcept {
  commands_.swap(other.commands_);
  workspace_.swap(other.workspace_);
  running_.swap(other.running_);
  std::swap(started_, other.started_);
}

void McpServers::reap() {
  std::erase_if(running_, [](pid_t pid) { return waitpid(pid, nullptr, WNOHANG) == pid; });
}

Result<Fd> McpServers::start(const std::string& name) {
  reap();
  auto command = commands_.find(name);
  if (command == commands_.end()) {
    return fail("the policy names no MCP server " + text::quote(name),
                "name it: ringwall run --mcp-server '" + text::escape(name) + "=COMMAND' …");
  }
  if (running_.size() >= kMostRunning || started_ >= kMostStarted)
    return fail("too many MCP servers were started");
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
    return fail_errno("cannot make a pair of sockets");
  Fd inside(pair[0]), outside(pair[1]);
  auto pid = process::spawn_program({.file = "/proc/self/exe",
                                     .words = words_for(name, workspace_, command->second),
                                     .stdio = {outside.get(), outside.get(), STDERR_FILENO},
                                     .folder = workspace_});
  if (!pid) return std::unexpected(Error{"cannot start ringwall mcp", pid.error().err, {}});
  running_.push_back(*pid);
  started_++;
  return inside;
}

}  // namespace ringwall::desks
