#include "cli/walled_hook.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/install_scope.h"
#include "gate/hook_reply.h"
#include "install/look.h"
#include "install/off_switch.h"
#include "sandbox/inside_run.h"

namespace ringwall::cli {
namespace {

constexpr int64_t kPatience = 2'000'000'000;
constexpr size_t kMostInput = 64u << 20;

// An agent whose words nobody reads may take that for a failure, and go on.
void read_what_comes() {
  int64_t until = clock::monotonic() + kPatience;
  size_t seen = 0;
  char buffer[1 << 16];
  while (seen < kMostInput) {
    int64_t left = (until - clock::monotonic()) / 1'000'000;
    pollfd waits{STDIN_FILENO, POLLIN, 0};
    if (left <= 0 || poll(&waits, 1, static_cast<int>(left)) <= 0) return;
    ssize_t count = read(STDIN_FILENO, buffer, sizeof buffer);
    if (count <= 0) return;
    seen += static_cast<size_t>(count);
  }
}

// Puts back what is missing, and says what to do.
std::string words_for(const install::Agent& agent, InstallPlace& place) {
  std::string name(agent.name);
  std::string told = "Ringwall: this " + name + " runs without walls, and works only behind them. ";
  if (!place.manifest.is_installed(name)) {
    return told + "It was installed for everybody: end it and start plain `" + name +
           "`; if that is what you did, root runs: ringwall install --system " + name;
  }
  auto unwalled = install::repair(place.scope, agent, place.manifest);
  if (!unwalled) return told + "It cannot be walled again: " + unwalled.error().text();
  if (!unwalled->empty())
    told += "An update had replaced its walled name " + text::quote(unwalled->front()) +
            ", which is back. ";
  return told + "End it, and start plain `" + name + "` again (see: ringwall installed).";
}

int say(const gate::HookReply& reply) {
  bool said = file::write_all(STDOUT_FILENO, reply.out).has_value();
  said = file::write_all(STDERR_FILENO, reply.err).has_value() && said;
  return said ? reply.status : gate::kDenyStatus;
}

// Nothing can be refused at a session's start; Claude Code shows this to its person.
int tell_at_start(const gate::Dialect& dialect, const std::string& told) {
  if (dialect.agent != gate::Agent::claude) return 0;
  boost::json::object out{{"systemMessage", told}};
  return say({boost::json::serialize(out) + "\n", "", 0});
}

}  // namespace

int run_walled_hook(const gate::Dialect& dialect, const std::string& event) {
  signal(SIGPIPE, SIG_IGN);
  const gate::EventRow* row = gate::find_event(dialect, event);
  const install::Agent* agent = install::agent_by_name(dialect.name);
  read_what_comes();
  if (row == nullptr || agent == nullptr)
    return say(gate::deny_unknown("Ringwall knows no event " + text::quote(event)));
  if (sandbox::is_inside_run()) return 0;
  std::string told;
  auto place = open_install_place(false);
  if (!place) {
    told = "Ringwall: this agent works only behind its walls: " + place.error().text();
  } else {
    if (install::off_in_force(place->caller, place->places, agent->name)) return 0;
    told = words_for(*agent, *place);
  }
  if (row->moment == gate::Moment::session_start) return tell_at_start(dialect, told);
  return say(gate::reply(dialect, *row, {gate::Answer::deny, told, told}));
}

}  // namespace ringwall::cli
