// Who we are here: the first process of new user, mount, pid, network, ipc, uts and cgroup
// namespaces, with every capability inside them and none outside. Each step gives something up;
// after the last one this process is pid 1 of the sandbox and under the same walls as the agent it
// starts.
//
// A step that fails ends the process: it reports {wall, step, errno} and dies, and the run is
// refused.
#include "sandbox/child.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "base/channel.h"
#include "calls/exec_filter.h"
#include "calls/filter.h"
#include "calls/rename_listener.h"
#include "limits/limits.h"
#include "sandbox/capabilities.h"
#include "sandbox/id_map.h"
#include "sandbox/init.h"
#include "sandbox/messages.h"

namespace ringwall::sandbox {
namespace {

Status die_with_supervisor(ChildState& state) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
    return fail_errno("cannot set the death signal");
  // It may have died before the call; then its end of the channel is closed.
  pollfd supervisor{state.inputs.channel.get(), 0, 0};
  if (poll(&supervisor, 1, 0) > 0 && (supervisor.revents & POLLHUP) != 0) _exit(1);
  return {};
}

// The supervisor's registry, signals and channels are none of the inside's business.
Status close_supervisors_files(ChildState& state) {
  std::vector<int> kept(state.inputs.stdio, state.inputs.stdio + 3);
  kept.push_back(state.inputs.channel.get());
  for (const std::vector<Fd>* trees : {&state.inputs.opened.source, &state.inputs.opened.upper}) {
    for (const Fd& tree : *trees) {
      if (tree) kept.push_back(tree.get());
    }
  }
  std::sort(kept.begin(), kept.end());
  unsigned first = 3;
  for (int fd : kept) {
    auto number = static_cast<unsigned>(fd);
    if (number < first) continue;
    if (number > first && close_range(first, number - 1, 0) < 0) {
      return fail_errno("cannot close the supervisor's files");
    }
    first = number + 1;
  }
  if (close_range(first, ~0u, 0) < 0) return fail_errno("cannot close the supervisor's files");
  return {};
}

// For this process and all it starts: an ignored signal stays ignored through clone and exec, and
// an ignored SIGCHLD would reap our children unseen. By the kernel's own call: libc refuses to
// touch the two signals that it keeps for its threads.
Status reset_signals(ChildState&) {
  struct {
    void* handler = nullptr;
    unsigned long flags = 0;
    void* restorer = nullptr;
    uint64_t mask = 0;
  } constexpr kDefault;
  for (int signal = 1; signal < NSIG; signal++) {
    if (signal == SIGKILL || signal == SIGSTOP) continue;
    if (syscall(SYS_rt_sigaction, signal, &kDefault, nullptr, sizeof kDefault.mask) < 0)
      return fail_errno("cannot reset signal " + std::to_string(signal));
  }
  return {};
}

Status wait_for_id_maps(ChildState& state) {
  if (state.inputs.is_mapped) return {};
  auto message = channel::receive(state.inputs.channel.get());
  if (!message || message->bytes.empty()) _exit(1);  // the supervisor is gone or has refused
  TRY_ASSIGN(Notice notice, parse_notice(message->bytes));
  if (notice.type != MessageType::go) return fail("unexpected message before the start");
  return {};
}

Status take_mapped_identity(ChildState& state) { return take_identity(state.inputs.plan.identity); }

Status forget_supervisor(ChildState& state) {
  // /proc/1/cmdline can be read by everyone inside.
  overwrite_start_area(state.inputs.start_area, "ringwall-init");
  return {};
}

Status name_host(ChildState& state) {
  const std::string& name = state.inputs.plan.hostname;
  if (sethostname(name.data(), name.size()) < 0) return fail_errno("cannot set the host's name");
  return {};
}

Status raise(ChildState&) { return raise_loopback(); }

Status redirect(ChildState& state) {
  if (!state.inputs.plan.network.has_wall) return {};
  if (is_taken_away(Wall::network_namespace)) return {};  // the rules would be the host's
  TRY_ASSIGN(state.handed_out.wall, build_network(state.inputs.plan.network));
  return {};
}

Status assemble(ChildState& state) {
  TRY_ASSIGN(NewRoot made, assemble_root(state.inputs.plan.mounts, state.inputs.opened));
  state.root = std::move(made.folder);
  if (made.sockets.size() > kMostServed) return fail("more sockets than can be handed out");
  std::ranges::move(made.sockets, state.handed_out.served.begin());
  const Plan& plan = state.inputs.plan;
  if (plan.has_hand) state.handed_out.for_hand.behind = std::move(made.behind);
  if (plan.has_hand || plan.masks_later) state.handed_out.for_hand.mask = std::move(made.mask);
  return {};
}

Status enter(ChildState& state) { return enter_root(std::move(state.root)); }

Status lower(ChildState&) {
  if (is_taken_away(Wall::user_namespace)) return {};  // they would be the host's
  return limits::lower_quotas();
}

Status offer(ChildState&) { return limits::offer_to_oom_killer(); }

Status set_limits(ChildState& state) { return limits::apply_limits(state.inputs.plan.limits); }

Status drop(ChildState&) { return drop_capabilities(); }

Status forbid_new_privileges(ChildState&) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return fail_errno("cannot set no_new_privs");
  return {};
}

Status landlock(ChildState& state) {
  int abi = state.inputs.plan.landlock_abi;
  if (abi < kLeastLandlockAbi) return {};
  return apply_landlock(plan_landlock(state.inputs.plan.mounts, abi), abi);
}

Status close_to_tracing(ChildState&) {
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0) return fail_errno("cannot become undumpable");
  return {};
}

Status catch_renames(ChildState& state) {
  const Plan& plan = state.inputs.plan;
  if ((plan.git_configs.empty() && !plan.learns) || !plan.has_hand) return {};
  TRY_ASSIGN(state.handed_out.for_hand.renames, calls::listen_for_renames(plan.learns));
  return {};
}

Status open_terminal(ChildState& state) {
  if (!state.inputs.terminal) return {};
  TRY_ASSIGN(state.pty, open_pty(*state.inputs.terminal));
  return {};
}

Status filter_programs(ChildState& state) {
  const calls::ExecPlan& exec = state.inputs.plan.exec;
  return exec.is_on() ? calls::install_exec_filter(exec) : Status();
}

Status filter_system_calls(ChildState&) { return calls::install_syscall_filter(); }

constexpr Step kSteps[] = {
    // First: whatever happens from here on, this process does not outlive its supervisor.
    {Wall::lifeline, "die with the supervisor", die_with_supervisor},
    {Wall::descriptors, "close the supervisor's files", close_supervisors_files},
    // These two here, while the supervisor writes the id maps.
    {Wall::lifeline, "reset the signals", reset_signals},
    {Wall::limits, "lower the quotas", lower},
    // Nothing can be owned, mounted or signalled by an unmapped id.
    {Wall::user_namespace, "wait for the id maps", wait_for_id_maps},
    // Before a change of id, which takes these files of /proc away from their process.
    {Wall::limits, "offer itself to the OOM killer", offer},
    {Wall::own_identity, "take the mapped identity", take_mapped_identity},
    // A change of id clears the death signal.
    {Wall::lifeline, "die with the supervisor", die_with_supervisor},
    {Wall::environment, "forget the supervisor's arguments and environment", forget_supervisor},
    {Wall::uts_namespace, "name the host", name_host},
    {Wall::network_namespace, "raise loopback", raise},
    {Wall::network_redirect, "take connections to the wall", redirect},
    // While the host's paths can still be named: the sources of every mount.
    {Wall::new_root, "assemble the new root", assemble},
    {Wall::new_root, "enter the new root", enter},
    {Wall::limits, "set limits", set_limits},
    // Mounting was the last thing that needs a capability.
    {Wall::capabilities, "drop capabilities", drop},
    // Landlock and seccomp ask for it from a process without capabilities.
    {Wall::no_new_privileges, "forbid new privileges", forbid_new_privileges},
    // Its rules name paths of the new root.
    {Wall::landlock, "enter Landlock", landlock},
    // This process still holds a copy of the supervisor's memory.
    {Wall::pid_namespace, "close pid 1 to tracing", close_to_tracing},
    // Before files are caught: nobody answers until the listener was handed out.
    {Wall::own_terminal, "open the terminal", open_terminal},
    // Before the other filter, whose refusals come first whatever the order.
    {Wall::protected_files, "catch renames", catch_renames},
    {Wall::exec_calls, "filter calls that make code", filter_programs},
    // Last: it refuses most of the calls made above.
    {Wall::system_calls, "filter system calls", filter_system_calls},
};

[[noreturn]] void report_and_die(int channel, const Step& step, const Error& error) {
  Notice notice{MessageType::failed};
  notice.value = error.err;
  notice.wall = static_cast<uint32_t>(step.wall);
  snprintf(notice.step, sizeof notice.step, "%s", step.name);
  snprintf(notice.detail, sizeof notice.detail, "%s", error.what.c_str());
  snprintf(notice.hint, sizeof notice.hint, "%s", error.hint.c_str());
  (void)send_notice(channel, notice);  // nobody left to tell if this fails
  _exit(1);
}

}  // namespace

void overwrite_start_area(std::span<char> area, const char* name) {
  if (area.empty()) return;
  explicit_bzero(area.data(), area.size());
  snprintf(area.data(), area.size(), "%s", name);
}

std::span<const Step> child_steps() { return kSteps; }

void run_child(ChildInputs inputs) {
  ChildState state{inputs, Fd(), {}, {}};
  for (const Step& step : kSteps) {
    if (is_taken_away(step.wall)) continue;
    if (Status done = step.apply(state); !done) {
      report_and_die(inputs.channel.get(), step, done.error());
    }
  }
  run_init(inputs, std::move(state.handed_out), std::move(state.pty));
}

}  // namespace ringwall::sandbox
