// Each wall tried alone, by the steps that a run takes, and at last all of them in one sandbox.
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "base/unix_sockets.h"
#include "host/diagnose.h"
#include "host/trial.h"
#include "sandbox/file_plan.h"
#include "sandbox/helper_walls.h"
#include "sandbox/landlock.h"
#include "sandbox/pty.h"
#include "sandbox/system_files.h"
#include "state/places.h"
#include "terminal/filter.h"
#include "verify/doctor.h"

namespace ringwall::verify {
namespace {

using host::Surroundings;
using sandbox::Wall;

constexpr uint64_t kUser = CLONE_NEWUSER;
constexpr uint64_t kMounts = CLONE_NEWUSER | CLONE_NEWNS;
constexpr std::string_view kAssemble = "assemble the new root";
constexpr std::string_view kEnter = "enter the new root";
constexpr std::string_view kForbid = "forbid new privileges";

// As pid 1 does it, in the sandbox's own /dev.
Status lead_own_terminal() {
  signal(SIGHUP, SIG_IGN);  // its end is that of our session
  sandbox::TerminalRequest request;
  request.modes.c_cflag = CS8 | CREAD | B38400;
  TRY_ASSIGN(sandbox::Pty pty, sandbox::open_pty(request));
  if (setsid() < 0 || ioctl(pty.slave.get(), TIOCSCTTY, 0) < 0)
    return fail_errno("cannot lead the terminal's session");
  return {};
}

// In a process of its own: whoever is behind these walls can tell nobody but by its end.
Status be_helper() {
  constexpr int kNotRefused = 255;
  pid_t parent = getpid();
  int abi = sandbox::probe_landlock_abi();
  pid_t helper = fork();
  if (helper < 0) return fail_errno("cannot start a helper");
  if (helper == 0) {
    if (Status entered = sandbox::enter_helper_walls({}, parent, abi); !entered)
      _exit(entered.error().err);
    for (const TriedAct& act : sandbox::try_forbidden_acts()) {
      if (act.err != EPERM && act.err != EACCES) _exit(kNotRefused);
    }
    _exit(0);
  }
  int status = 0;
  if (waitpid(helper, &status, 0) < 0) return fail_errno("cannot wait for a helper");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  bool entered = !WIFEXITED(status) || WEXITSTATUS(status) == kNotRefused;
  if (entered) return fail("a helper could do more than it should");
  return std::unexpected(Error{"a helper cannot be walled", WEXITSTATUS(status), {}});
}

Status drop_sequence() {
  terminal::Filter filter({});
  if (filter.pass("\x1b]52;c;aGk=\a").empty()) return {};
  return fail("a sequence for the clipboard got through");
}

struct WallCheck {
  Wall wall;
  uint64_t namespaces;
  std::vector<std::string_view> steps;
  const char* below;  // the part of the plan's mounts that it needs; null: none
  Status (*act)();
  const char* seen;  // if it can be built
};

const std::vector<WallCheck>& wall_checks() {
  static const std::vector<WallCheck> kChecks = {
      {Wall::user_namespace, kUser, {}, nullptr, nullptr, "made, with an id map"},
      {Wall::mount_namespace, kMounts, {}, nullptr, nullptr, "made"},
      {Wall::pid_namespace, kUser | CLONE_NEWPID, {}, nullptr, nullptr, "made"},
      {Wall::network_namespace,
       kUser | CLONE_NEWNET,
       {"raise loopback"},
       nullptr,
       nullptr,
       "made, loopback raised"},
      {Wall::ipc_namespace, kUser | CLONE_NEWIPC, {}, nullptr, nullptr, "made"},
      {Wall::uts_namespace,
       kUser | CLONE_NEWUTS,
       {"name the host"},
       nullptr,
       nullptr,
       "made, host named"},
      {Wall::cgroup_namespace, kUser | CLONE_NEWCGROUP, {}, nullptr, nullptr, "made"},
      {Wall::keyring, 0, {}, nullptr, host::join_keyring, "joined one of its own"},
      {Wall::new_root, kMounts, {kAssemble, kEnter}, nullptr, nullptr, "assembled and entered"},
      {Wall::read_only, kMounts, {kAssemble}, "/usr", nullptr, "/usr mounted read-only"},
      {Wall::fresh_proc,
       kMounts | CLONE_NEWPID,
       {kAssemble},
       "/proc",
       nullptr,
       "mounted, its /proc/sys read-only"},
      {Wall::private_dev,
       kMounts | CLONE_NEWIPC,
       {kAssemble},
       "/dev",
       nullptr,
       "devices, terminals and queues mounted"},
      {Wall::descriptors, 0, {}, nullptr, host::call_close_range, "close_range is there"},
      {Wall::capabilities, kUser, {"drop capabilities"}, nullptr, nullptr, "dropped, locked"},
      {Wall::no_new_privileges, 0, {kForbid}, nullptr, nullptr, "set"},
      {Wall::system_calls,
       0,
       {kForbid, "filter system calls"},
       nullptr,
       nullptr,
       "the filter was installed"},
      {Wall::own_terminal,
       kMounts | CLONE_NEWIPC,
       {kAssemble, kEnter},
       "/dev",
       lead_own_terminal,
       "opened in a /dev of its own"},
      {Wall::terminal_filter, 0, {}, nullptr, drop_sequence, "drops a clipboard sequence"},
      {Wall::helper_walls, 0, {}, nullptr, be_helper, "a helper opens, connects, starts nothing"},
  };
  return kChecks;
}

std::string name_of(Wall wall) {
  std::string name(sandbox::facts_of(wall).name);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

HostRow row_for(Wall wall, const host::TrialResult& result, const std::string& seen,
                const Surroundings& host) {
  bool required = sandbox::facts_of(wall).need == sandbox::Need::required;
  HostRow row{Part::wall, name_of(wall), required, result.has_value(), seen, ""};
  if (result) return row;
  host::Diagnosis words = host::diagnose(result.error(), host);
  row.seen = words.reason;
  row.mend = words.mend;
  return row;
}

// Not tried: the reason would be the same in every row.
HostRow without_namespace(Wall wall) {
  return {Part::wall, name_of(wall), true, false, "needs a user namespace", ""};
}

std::vector<sandbox::Mount> part_of(const std::vector<sandbox::Mount>& mounts, const char* below) {
  std::vector<sandbox::Mount> part;
  for (const sandbox::Mount& mount : mounts) {
    if (below != nullptr && path::is_beneath(mount.target, below)) part.push_back(mount);
  }
  return part;
}

sandbox::Plan plan_empty_run(const std::string& home) {
  sandbox::Plan plan;
  plan.identity = host::callers_identity();
  sandbox::HostFacts facts = sandbox::read_host_facts(sandbox::system_questions());
  sandbox::FileGrants files;
  files.home = home;
  files.shell = "/bin/sh";
  plan.mounts = sandbox::plan_files(files, facts, plan.identity);
  plan.landlock_abi = facts.landlock_abi;
  plan.working_folder = "/";
  plan.program = "/bin/true";
  plan.arguments = {"true"};
  return plan;
}

// Who the agent is: for root an idmapped mount of the caller's files as well.
HostRow check_identity(const Surroundings& host) {
  host::TrialResult result = host::attempt({Wall::own_identity, kUser});
  std::string seen = "one ordinary id (" + std::to_string(host::callers_identity().uid) + ")";
  if (result && host.caller_is_root) {
    seen += ", the working folder's owner mapped to it";
    if (Status mapped = host::map_ids_of_folder(); !mapped) {
      result = std::unexpected(sandbox::LaunchFailure{
          Wall::own_identity, "map the owner of the caller's files", mapped.error()});
    }
  }
  return row_for(Wall::own_identity, result, seen, host);
}

std::string landlock_mend(int abi) {
  if (abi > 0) {
    return "install a kernel of 5.19 or later (Ubuntu 22.04: sudo apt install "
           "linux-generic-hwe-22.04)";
  }
  auto modules = file::read("/sys/kernel/security/lsm");
  if (!modules) return "install a kernel of 5.19 or later with Landlock switched on";
  return "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX lsm=landlock," +
         std::string(text::trim(*modules)) +
         "\"' | sudo tee /etc/default/grub.d/landlock.cfg && sudo update-grub && sudo reboot";
}

HostRow check_landlock(const Surroundings& host) {
  int abi = sandbox::probe_landlock_abi();
  if (abi >= sandbox::kLeastLandlockAbi) {
    host::TrialResult entered = host::attempt({Wall::landlock, 0, {kForbid, "enter Landlock"}});
    return row_for(Wall::landlock, entered, "entered, ABI " + std::to_string(abi), host);
  }
  std::string seen = abi > 0 ? "ABI " + std::to_string(abi) + ", and 2 is needed (Linux 5.19)"
                             : "not on in this kernel";
  return {Part::wall, name_of(Wall::landlock), false, false, seen, landlock_mend(abi)};
}

HostRow check_later_sockets() {
  bool there = unix_sockets::can_be_listed();
  return {Part::wall,
          name_of(Wall::later_sockets),
          false,
          there,
          there ? "the kernel lists unix sockets" : "the kernel does not list unix sockets",
          there ? "" : "sudo modprobe unix_diag"};
}

// A run refuses if any of them cannot be built, so the last word is a run's own.
HostRow check_all(const sandbox::Plan& plan, const Surroundings& host) {
  auto before = clock::monotonic();
  host::TrialResult result = host::attempt_launch(plan);
  auto took = (clock::monotonic() - before) / 1000000;
  HostRow row = row_for(result ? Wall::lifeline : result.error().wall, result,
                        "a whole sandbox stood and ended in " + std::to_string(took) + " ms", host);
  row.name = "all together";
  row.required = true;
  return row;
}

}  // namespace

std::vector<HostRow> examine_walls(const Surroundings& host) {
  auto caller = state::read_caller();
  sandbox::Plan plan = plan_empty_run(caller ? caller->home : "/home/agent");
  std::vector<HostRow> rows;
  bool user_namespace = true;
  for (const WallCheck& check : wall_checks()) {
    if ((check.namespaces & kUser) != 0 && !user_namespace) {
      rows.push_back(without_namespace(check.wall));
      continue;
    }
    host::TrialResult result = host::attempt(
        {check.wall, check.namespaces, check.steps, part_of(plan.mounts, check.below), check.act});
    rows.push_back(row_for(check.wall, result, check.seen, host));
    if (check.wall != Wall::user_namespace) continue;
    user_namespace = result.has_value();
    rows.push_back(user_namespace ? check_identity(host) : without_namespace(Wall::own_identity));
  }
  bool missing =
      std::any_of(rows.begin(), rows.end(), [](const HostRow& row) { return !row.there; });
  if (!missing) rows.push_back(check_all(plan, host));
  rows.push_back(check_landlock(host));
  rows.push_back(check_later_sockets());
  return rows;
}

}  // namespace ringwall::verify
