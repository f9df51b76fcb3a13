#include "tool_calls/mcp_filter.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/channel.h"
#include "base/pipe.h"
#include "base/sanitized.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "mcp/filter_process.h"
#include "processes/helper_process.h"
#include "sandbox/helper_walls.h"
#include "sandbox/landlock.h"

namespace ringwall::tool_calls {
namespace {

constexpr rlim_t kMostMemory = 1u << 30;  // a line of 8 MiB may become a hundred times that
constexpr rlim_t kMostNotes = 12u << 20;  // bytes of its file
constexpr int kLastLinesMilliseconds = 2000;

Result<Fd> move_away(int fd) {
  Fd moved(fcntl(fd, F_DUPFD_CLOEXEC, 3));
  if (!moved) return fail_errno("cannot move a descriptor");
  return moved;
}

Status put(const Fd& end, int as) {
  if (dup2(end.get(), as) < 0) return fail_errno("cannot move a descriptor");
  return {};
}

Status enter_walls(const std::vector<int>& kept, pid_t supervisor, int landlock_abi) {
  rlimit memory{kMostMemory, kMostMemory}, file{kMostNotes, kMostNotes};
  bool limited = kIsSanitized || setrlimit(RLIMIT_AS, &memory) == 0;
  if (!limited || setrlimit(RLIMIT_FSIZE, &file) < 0) return fail_errno("cannot limit the filter");
  return sandbox::enter_helper_walls({sandbox::Helper::relay, kept, {}}, supervisor, landlock_abi);
}

events::Event event_of(const mcp::FilterNotice& notice, const std::string& server,
                       const std::string& run) {
  std::string tool = "mcp__" + server + (notice.tool[0] == '\0' ? "" : "__") + notice.tool;
  switch (notice.kind) {
    case mcp::Report::Kind::finding: {
      std::string_view what = notice.what;
      size_t colon = std::min(what.find(": "), what.size());
      std::string kind(what.substr(0, colon));
      std::string excerpt(what.substr(std::min(colon + 2, what.size())));
      return events::ResultFinding{
          run, "agent", tool, kind, excerpt, static_cast<uint64_t>(std::max(0, notice.weight))};
    }
    case mcp::Report::Kind::waits:
      return events::Withheld{
          "a tool is kept from the agent: " + text::quote(tool) + ": " + text::escape(notice.what),
          "look and decide: ringwall mcp approve " + server + " " + text::quote(notice.tool)};
    case mcp::Report::Kind::dropped:
      return events::Withheld{"dropped: " + text::quote(tool) + ": " + text::escape(notice.what),
                              ""};
    default:
      return events::ToolRefused{run, "agent", tool, notice.tool, notice.rule, notice.what};
  }
}

}  // namespace

Result<McpFilter> McpFilter::start(mcp::FilterSettings settings, Fd notes,
                                   std::span<char> start_area) {
  McpFilter made;
  made.server_ = settings.server;
  TRY_ASSIGN(Fd agent_in, move_away(0));
  TRY_ASSIGN(Fd agent_out, move_away(1));
  TRY_ASSIGN(made.person_, move_away(2));
  TRY_ASSIGN(Pipe to_server, make_pipe());
  TRY_ASSIGN(Pipe from_server, make_pipe());
  TRY_ASSIGN(Pipe errors, make_pipe());
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  int abi = sandbox::probe_landlock_abi();
  processes::HelperRequest request{.name = "ringwall-mcp-filter", .start_area = start_area};
  request.kept = {agent_in.get(),         agent_out.get(),   to_server.write.get(),
                  from_server.read.get(), errors.read.get(), made.person_.get(),
                  pair.theirs.get(),      notes.get()};
  request.own_walls = [abi](const std::vector<int>& kept, pid_t supervisor) {
    return enter_walls(kept, supervisor, abi);
  };
  TRY_ASSIGN(made.pid_, processes::start_helper(std::move(request), [&](std::span<const int> fds) {
               mcp::run_filter(mcp::Filter(std::move(settings)),
                               {fds[0], fds[1], fds[2], fds[3], fds[4], fds[5], fds[6], fds[7]});
             }));
  made.channel_ = std::move(pair.ours);
  TRY(put(to_server.read, 0));
  TRY(put(from_server.write, 1));
  TRY(put(errors.write, 2));
  return made;
}

processes::Onlooker McpFilter::onlooker(std::string run) {
  return {channel_.get(), [this, run](const std::function<void(const events::Event&)>& tell) {
            auto message = channel::receive(channel_.get(), MSG_DONTWAIT);
            if (!message && message.error().err == EAGAIN) return true;
            if (!message || message->bytes.empty()) return false;
            auto notice = mcp::parse_filter_notice(message->bytes);
            if (!notice || notice->type == mcp::FilterNotice::Type::ends) return false;
            tell(event_of(*notice, server_, run));
            return true;
          }};
}

void McpFilter::finish() {
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = 0; fd < 3 && null; fd++)
    (void)dup2(null.get(), fd);
  Fd process(sys::pidfd_open(pid_, 0));
  pollfd ends{process.get(), POLLIN, 0};
  if (!process || poll(&ends, 1, kLastLinesMilliseconds) <= 0) kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::tool_calls
