#include "sandbox/launch.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "base/channel.h"
#include "base/file.h"
#include "base/syscalls.h"
#include "sandbox/id_map.h"
#include "sandbox/keyring.h"
#include "sandbox/messages.h"

#ifndef CLONE_CLEAR_SIGHAND
#define CLONE_CLEAR_SIGHAND 0x100000000ULL
#endif
#ifndef CLONE_INTO_CGROUP
#define CLONE_INTO_CGROUP 0x200000000ULL
#endif

namespace ringwall::sandbox {
namespace {

std::unexpected<LaunchFailure> refuse(Wall wall, std::string step, Error error) {
  return std::unexpected(LaunchFailure{wall, std::move(step), std::move(error)});
}

uint64_t namespace_flags() {
  struct {
    Wall wall;
    uint64_t flag;
  } constexpr kFlags[] = {
      {Wall::user_namespace, CLONE_NEWUSER},     {Wall::mount_namespace, CLONE_NEWNS},
      {Wall::pid_namespace, CLONE_NEWPID},       {Wall::network_namespace, CLONE_NEWNET},
      {Wall::ipc_namespace, CLONE_NEWIPC},       {Wall::uts_namespace, CLONE_NEWUTS},
      {Wall::cgroup_namespace, CLONE_NEWCGROUP},
  };
  uint64_t flags = 0;
  for (const auto& [wall, flag] : kFlags) {
    if (!is_taken_away(wall)) flags |= flag;
  }
  return flags;
}

std::expected<void, LaunchFailure> take_ready_descriptors(Launched& launched, const Notice& notice,
                                                          std::vector<Fd>& fds) {
  ForHand& hand = launched.handed_out.for_hand;
  std::vector<Fd*> places = {&launched.terminal, &hand.renames, &hand.behind, &hand.mask};
  for (Fd& socket : launched.handed_out.wall)
    places.push_back(&socket);
  for (Fd& socket : launched.handed_out.served)
    places.push_back(&socket);
  size_t next = 0;
  for (size_t i = 0; i < places.size(); i++) {
    if ((notice.value & (1 << i)) == 0) continue;
    if (next >= fds.size())
      return refuse(Wall::lifeline, "wait for the sandbox", Error{"a descriptor is missing"});
    *places[i] = std::move(fds[next++]);
  }
  return {};
}

// Of the child while it waits, later it is closed to everyone; or of who has made them.
Status open_namespaces(Launched& launched, const Plan& plan, pid_t holder) {
  std::string folder = "/proc/" + std::to_string(holder) + "/ns/";
  launched.network_may_change = plan.network.may_change;
  if (plan.has_hand || plan.masks_later || plan.network.may_change) {
    TRY_ASSIGN(launched.user_namespace, file::open(folder + "user", O_RDONLY));
  }
  if (plan.has_hand || plan.masks_later) {
    TRY_ASSIGN(launched.mount_namespace, file::open(folder + "mnt", O_RDONLY));
  }
  if (plan.masks_later || plan.network.may_change) {
    TRY_ASSIGN(launched.network_namespace, file::open(folder + "net", O_RDONLY));
  }
  return {};
}

// What the child says first: ready, failed, or nothing because it is gone.
std::expected<void, LaunchFailure> take_first_notice(Launched& launched) {
  constexpr const char* kStep = "wait for the sandbox";
  auto message = channel::receive(launched.channel.get());
  if (!message) return refuse(Wall::lifeline, kStep, message.error());
  if (message->bytes.empty()) {
    return refuse(Wall::lifeline, kStep, Error{"pid 1 ended before it was ready"});
  }
  auto notice = parse_notice(message->bytes);
  if (!notice) return refuse(Wall::lifeline, kStep, notice.error());
  if (notice->type == MessageType::ready) {
    return take_ready_descriptors(launched, *notice, message->fds);
  }
  Wall wall = notice->wall < walls().size() ? static_cast<Wall>(notice->wall) : Wall::lifeline;
  return refuse(wall, notice->step, Error{notice->detail, notice->value, notice->hint});
}

// A child that has given up cannot be helped any more: what it said of it is the reason.
std::unexpected<LaunchFailure> not_helped(Launched& launched, Wall wall, std::string step,
                                          const Error& error) {
  pollfd child{launched.channel.get(), POLLIN, 0};
  if (poll(&child, 1, 0) > 0) {
    auto said = take_first_notice(launched);
    if (!said) return std::unexpected(said.error());
  }
  return refuse(wall, std::move(step), error);
}

// While it waits for its id maps.
std::expected<void, LaunchFailure> help_child(const LaunchInputs& inputs, Launched& launched) {
  Status done = inputs.cgroup == nullptr ? Status() : inputs.cgroup->take_in(launched.pid);
  if (!done) return not_helped(launched, Wall::limits, "enter the cgroup", done.error());
  done = open_namespaces(launched, inputs.plan, launched.pid);
  if (!done)
    return not_helped(launched, Wall::protected_files, "open the namespaces", done.error());
  done = inputs.hold ? inputs.hold(launched.pid) : Status();
  if (!done) return not_helped(launched, Wall::exec_stop, "hold pid 1", done.error());
  if (is_taken_away(Wall::user_namespace)) return {};
  done = write_id_maps(launched.pid, inputs.plan.identity);
  if (done) done = send_notice(launched.channel.get(), Notice{MessageType::go});
  if (!done) return not_helped(launched, Wall::user_namespace, "write the id maps", done.error());
  return {};
}

// Where the namespaces are made early, the child need not wait for its id maps. False: it has to.
bool help_early(const LaunchInputs& inputs, Launched& launched) {
  // Who is held or put somewhere waits anyway.
  bool waits_anyway = inputs.hold || (inputs.cgroup != nullptr && inputs.cgroup->is_there());
  if (inputs.early == nullptr || waits_anyway) return false;
  pid_t holder = inputs.early->wait_until_made();
  bool is_helped = holder > 0 && open_namespaces(launched, inputs.plan, holder) &&
                   write_id_maps(holder, inputs.plan.identity);
  // Maps are written once: what is wrong with them is told by the usual way, in new namespaces.
  if (!is_helped) inputs.early->end();
  return is_helped;
}

// Into all namespaces; `body` does not return. 0: it was lost on the way. Takes back `is_mapped`
// where the early namespaces cannot be used.
pid_t clone_child(const LaunchInputs& inputs, int& pidfd, bool& is_mapped,
                  const std::function<void()>& body) {
  clone_args arguments{};
  arguments.flags = namespace_flags() | CLONE_PIDFD | CLONE_CLEAR_SIGHAND;
  arguments.pidfd = reinterpret_cast<uint64_t>(&pidfd);
  arguments.exit_signal = SIGCHLD;
  bool has_cgroup = inputs.cgroup != nullptr && inputs.cgroup->entry() >= 0;
  if (has_cgroup) {
    arguments.flags |= CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<uint64_t>(inputs.cgroup->entry());
  }
  // Who waits in other namespaces may have no right to the cgroup.
  if (inputs.early != nullptr && has_cgroup) inputs.early->end();
  if (inputs.early != nullptr && inputs.early->are_there()) {
    clone_args rest = arguments;
    pid_t child = inputs.early->start_child(rest, body);
    if (child >= 0) return child;
    inputs.early->end();
  }
  is_mapped = false;
  pid_t child = sys::clone3(&arguments);
  if (child == 0) body();
  return child;
}

}  // namespace

LaunchResult launch(const LaunchInputs& inputs) {
  const Identity& identity = inputs.plan.identity;
  auto pair = channel::make_pair();
  if (!pair) return refuse(Wall::lifeline, "make the channel", pair.error());
  bool is_left = inputs.early != nullptr && inputs.early->are_there();
  if (Status left = is_left ? Status() : leave_callers_keyring(); !left) {
    return refuse(Wall::keyring, "leave the caller's keyring", left.error());
  }
  OpenedTrees opened;
  if (identity.caller_is_root && !is_taken_away(Wall::new_root)) {
    auto trees = open_callers_trees(inputs.plan.mounts, identity);
    if (!trees)
      return refuse(Wall::own_identity, "map the owner of the caller's files", trees.error());
    opened = std::move(*trees);
  }

  Launched launched;
  int pidfd = -1;
  bool is_mapped = help_early(inputs, launched);
  launched.pid = clone_child(inputs, pidfd, is_mapped, [&] {
    pair->ours.close();
    run_child({inputs.plan,
               std::move(opened),
               std::move(pair->theirs),
               {inputs.stdio[0], inputs.stdio[1], inputs.stdio[2]},
               inputs.terminal,
               inputs.start_area,
               inputs.run_builtin,
               inputs.standing,
               is_mapped});
  });
  if (launched.pid == 0)
    return refuse(Wall::lifeline, "make the namespaces", Error{"who makes them was killed"});
  if (launched.pid < 0) {
    return refuse(Wall::user_namespace, "make the namespaces",
                  Error{"clone3 was refused", errno, {}});
  }
  launched.pidfd = Fd(pidfd);
  launched.channel = std::move(pair->ours);
  pair->theirs.close();

  auto helped = is_mapped ? std::expected<void, LaunchFailure>() : help_child(inputs, launched);
  if (inputs.early != nullptr) inputs.early->end();
  if (!helped) {
    end_sandbox(launched);
    return std::unexpected(helped.error());
  }
  return launched;
}

std::expected<void, LaunchFailure> wait_until_ready(Launched& launched) {
  auto ready = take_first_notice(launched);
  if (!ready) end_sandbox(launched);
  return ready;
}

Status let_start(const Launched& launched) {
  return send_notice(launched.channel.get(), Notice{MessageType::go});
}

void kill_sandbox(const Launched& launched) {
  sys::pidfd_send_signal(launched.pidfd.get(), SIGKILL, nullptr, 0);
}

void end_sandbox(const Launched& launched) {
  kill_sandbox(launched);
  waitpid(launched.pid, nullptr, 0);
}

}  // namespace ringwall::sandbox
