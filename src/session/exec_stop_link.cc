#include "session/exec_stop_link.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <utility>
#include <vector>

#include "base/channel.h"
#include "base/file.h"
#include "base/fixed_message.h"
#include "base/syscalls.h"
#include "hand/exec_stop_walls.h"
#include "identity/exec_stop.h"
#include "identity/tracees.h"
#include "processes/helper_process.h"

namespace ringwall::session {
namespace {

using identity::StopNotice;
using identity::StopOrder;

constexpr int kPatience = 200;  // milliseconds, for the end of one that is ending

enum Given : size_t { kChannel, kProcesses, kUser, kMount };

struct Opened {
  Fd processes, user, mount;
};

std::vector<identity::StopPlace> places_of(const sandbox::Plan& plan) {
  using Kind = sandbox::Mount::Kind;
  std::vector<identity::StopPlace> places;
  for (const sandbox::Mount& mount : plan.mounts) {
    bool is_tree = mount.kind == Kind::bind || mount.kind == Kind::overlay ||
                   mount.kind == Kind::without || mount.kind == Kind::tmpfs;
    bool writable =
        mount.access == sandbox::Access::write || mount.access == sandbox::Access::write_data;
    if (is_tree) places.push_back({mount.target, writable});
  }
  return places;
}

Result<Opened> open_all(pid_t init) {
  std::string folder = "/proc/" + std::to_string(init) + "/ns/";
  Opened opened;
  TRY_ASSIGN(opened.processes, file::open("/proc", O_PATH | O_DIRECTORY));
  TRY_ASSIGN(opened.user, file::open(folder + "user", O_RDONLY));
  TRY_ASSIGN(opened.mount, file::open(folder + "mnt", O_RDONLY));
  return opened;
}

}  // namespace

ExecStopLink& ExecStopLink::operator=(ExecStopLink&& other) noexcept {
  std::swap(channel_, other.channel_);
  std::swap(pid_, other.pid_);
  return *this;
}

Result<ExecStopLink> ExecStopLink::start(pid_t init, const sandbox::Plan& plan,
                                         const identity::StopRules& rules, StandingTasks standing,
                                         std::span<char> start_area) {
  TRY_ASSIGN(channel::Pair pair, channel::make_pair());
  TRY_ASSIGN(Opened opened, open_all(init));
  std::vector<int> all = {pair.theirs.get(), opened.processes.get(), opened.user.get(),
                          opened.mount.get()};
  processes::HelperRequest request{"ringwall-exec-stop", start_area, all};
  // The others come when the sandbox's own stand.
  request.own_walls = [](const std::vector<int>& kept, pid_t supervisor) -> Status {
    TRY(sandbox::die_with(supervisor));
    return sandbox::close_all_but(kept);
  };
  pid_t supervisor = getpid();
  ExecStopLink link;
  TRY_ASSIGN(
      link.pid_, processes::start_helper(std::move(request), [&](std::span<const int> kept) {
        int processes = kept[kProcesses];
        hand::ExecStopRoom room{kept[kUser], kept[kMount], plan.identity,
                                !identity::can_kill_by_ptrace()};
        identity::StopRules placed = rules;
        placed.places = places_of(plan);
        identity::run_exec_stop(
            {.channel = kept[kChannel],
             .processes = processes,
             .init = init,
             .rules = std::move(placed),
             .standing = standing,
             .enter_walls = [&] { return hand::enter_exec_stop_walls(room, supervisor); },
             .try_acts =
                 [=] { return hand::try_acts_forbidden_to_exec_stop(processes, supervisor); }});
        _exit(0);
      }));
  link.channel_ = std::move(pair.ours);
  pair.theirs.close();
  auto first = link.receive();
  if (!first || first->type != StopNotice::Type::seized)
    return fail("the exec stop ended before it held anything");
  if (first->value != 0)
    return std::unexpected(Error{"processes cannot be traced", first->value,
                                 "look at sysctl kernel.yama.ptrace_scope: 3 forbids it"});
  return link;
}

Status ExecStopLink::try_acts() {
  StopOrder order{StopOrder::Type::try_acts};
  return channel::send(channel_.get(), fixed::bytes_of(order), {}, MSG_DONTWAIT);
}

Status ExecStopLink::only_known(bool only_known) {
  StopOrder order{StopOrder::Type::only_known, only_known ? 1u : 0u};
  return channel::send(channel_.get(), fixed::bytes_of(order), {}, MSG_DONTWAIT);
}

Result<StopNotice> ExecStopLink::receive() {
  TRY_ASSIGN(channel::Message message, channel::receive(channel_.get()));
  if (message.bytes.empty()) return fail("the exec stop is gone");
  return identity::parse_stop_notice(message.bytes);
}

bool ExecStopLink::was_killed() const {
  if (pid_ <= 0) return false;
  Fd process(sys::pidfd_open(pid_, 0));
  pollfd ended{process.get(), POLLIN, 0};
  if (!process || poll(&ended, 1, kPatience) <= 0) return false;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) < 0) return false;
  return info.si_code != CLD_EXITED || info.si_status != 0;
}

void ExecStopLink::end() {
  channel_.close();
  if (pid_ <= 0) return;
  kill(pid_, SIGKILL);
  waitpid(std::exchange(pid_, -1), nullptr, 0);
}

}  // namespace ringwall::session
