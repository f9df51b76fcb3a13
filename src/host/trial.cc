#include "host/trial.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "base/channel.h"
#include "base/syscalls.h"
#include "sandbox/child.h"
#include "sandbox/id_map.h"
#include "sandbox/messages.h"

namespace ringwall::host {
namespace {

using sandbox::LaunchFailure;
using sandbox::MessageType;
using sandbox::Notice;
using sandbox::Plan;
using sandbox::Wall;

std::unexpected<LaunchFailure> failed(Wall wall, std::string step, Error error) {
  return std::unexpected(LaunchFailure{wall, std::move(step), std::move(error)});
}

[[noreturn]] void report(int channel, Wall wall, std::string_view step, const Status& done) {
  Notice notice{done ? MessageType::ready : MessageType::failed};
  notice.wall = static_cast<uint32_t>(wall);
  snprintf(notice.step, sizeof notice.step, "%.*s", static_cast<int>(step.size()), step.data());
  if (!done) {
    notice.value = done.error().err;
    snprintf(notice.detail, sizeof notice.detail, "%s", done.error().what.c_str());
  }
  (void)sandbox::send_notice(channel, notice);  // the parent sees a closed channel then
  _exit(done ? 0 : 1);
}

// Who we are here: a child that tries a few steps, tells how they went and is gone.
[[noreturn]] void try_steps(const Trial& trial, const Plan& plan, Fd channel) {
  int told = channel.get();
  sandbox::ChildInputs inputs{plan, {}, std::move(channel)};
  sandbox::ChildState state{inputs, Fd()};
  std::vector<std::string_view> names = {"die with the supervisor"};
  if ((trial.namespaces & CLONE_NEWUSER) != 0) {
    names.insert(names.end(), {"wait for the id maps", "take the mapped identity"});
  }
  names.insert(names.end(), trial.steps.begin(), trial.steps.end());
  for (std::string_view name : names) {
    for (const sandbox::Step& step : sandbox::child_steps()) {
      if (step.name != name) continue;
      if (Status done = step.apply(state); !done) report(told, step.wall, name, done);
      break;
    }
  }
  report(told, trial.wall, sandbox::facts_of(trial.wall).name,
         trial.act == nullptr ? Status() : trial.act());
}

pid_t start(uint64_t namespaces) {
  if (namespaces == 0) return fork();  // clone3 alone may be what is refused
  clone_args arguments{};
  arguments.flags = namespaces;
  arguments.exit_signal = SIGCHLD;
  return sys::clone3(&arguments);
}

TrialResult hear(const Trial& trial, int channel) {
  std::string step(sandbox::facts_of(trial.wall).name);
  auto message = channel::receive(channel);
  if (!message) return failed(trial.wall, step, message.error());
  if (message->bytes.empty()) {
    return failed(trial.wall, step, Error{"the process that tried it was killed"});
  }
  auto notice = sandbox::parse_notice(message->bytes);
  if (!notice) return failed(trial.wall, step, notice.error());
  if (notice->type == MessageType::ready) return {};
  Wall wall = notice->wall < sandbox::walls().size() ? static_cast<Wall>(notice->wall) : trial.wall;
  return failed(wall, notice->step, Error{notice->detail, notice->value, {}});
}

}  // namespace

sandbox::Identity callers_identity() {
  return sandbox::plan_identity(getuid(), getgid(), "agent", "agent");
}

TrialResult attempt(const Trial& trial) {
  Plan plan;
  plan.identity = callers_identity();
  plan.mounts = trial.mounts;
  plan.network = trial.network;
  plan.landlock_abi = sandbox::probe_landlock_abi();
  auto pair = channel::make_pair();
  if (!pair) return failed(trial.wall, "make the channel", pair.error());
  pid_t child = start(trial.namespaces);
  if (child < 0) return failed(trial.wall, "make the namespaces", Error{"clone3", errno, {}});
  if (child == 0) {
    pair->ours.close();
    try_steps(trial, plan, std::move(pair->theirs));
  }
  pair->theirs.close();
  TrialResult result;
  if ((trial.namespaces & CLONE_NEWUSER) != 0) {
    Status mapped = sandbox::write_id_maps(child, plan.identity);
    if (mapped) mapped = sandbox::send_notice(pair->ours.get(), Notice{MessageType::go});
    if (!mapped) result = failed(trial.wall, "write the id maps", mapped.error());
  }
  if (result) result = hear(trial, pair->ours.get());
  pair->ours.close();  // ends a child that still waits for its maps
  waitpid(child, nullptr, 0);
  return result;
}

TrialResult attempt_launch(const Plan& plan) {
  auto launched = sandbox::launch({.plan = plan});
  if (!launched) return std::unexpected(launched.error());
  TrialResult ready = sandbox::wait_until_ready(*launched);
  if (ready) sandbox::end_sandbox(*launched);
  return ready;
}

}  // namespace ringwall::host
