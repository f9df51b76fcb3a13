// Each wall tried alone, by the steps that a run takes, and at last all of them in one sandbox.
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/diagnose.h"
#include "sandbox/file_plan.h"
#include "sandbox/host_checks.h"
#include "sandbox/landlock.h"
#include "sandbox/system_files.h"
#include "session/places.h"
#include "verify/doctor.h"

namespace ringwall::verify {
namespace {

using sandbox::Surroundings;
using sandbox::Wall;

constexpr uint64_t kUser = CLONE_NEWUSER;
constexpr uint64_t kMounts = CLONE_NEWUSER | CLONE_NEWNS;
constexpr std::string_view kAssemble = "assemble the new root";
constexpr std::string_view kForbid = "forbid new privileges";

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
      {Wall::keyring, 0, {}, nullptr, sandbox::join_keyring, "joined one of its own"},
      {Wall::new_root,
       kMounts,
       {kAssemble, "enter the new root"},
       nullptr,
       nullptr,
       "assembled and entered"},
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
      {Wall::descriptors, 0, {}, nullptr, sandbox::call_close_range, "close_range is there"},
      {Wall::capabilities, kUser, {"drop capabilities"}, nullptr, nullptr, "dropped, locked"},
      {Wall::no_new_privileges, 0, {kForbid}, nullptr, nullptr, "set"},
      {Wall::system_calls,
       0,
       {kForbid, "filter system calls"},
       nullptr,
       nullptr,
       "the filter was installed"},
  };
  return kChecks;
}

std::string name_of(Wall wall) {
  std::string name(sandbox::facts_of(wall).name);
  std::replace(name.begin(), name.end(), '-', ' ');
  return name;
}

Row row_for(Wall wall, const sandbox::TrialResult& result, const std::string& seen,
            const Surroundings& host) {
  bool required = sandbox::facts_of(wall).need == sandbox::Need::required;
  Row row{Part::wall, name_of(wall), required, result.has_value(), seen, ""};
  if (result) return row;
  sandbox::Diagnosis words = sandbox::diagnose(result.error(), host);
  row.seen = words.reason;
  row.mend = words.mend;
  return row;
}

// Not tried: the reason would be the same in every row.
Row without_namespace(Wall wall) {
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
  plan.identity = sandbox::callers_identity();
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
Row check_identity(const Surroundings& host) {
  sandbox::TrialResult result = sandbox::attempt({Wall::own_identity, kUser});
  std::string seen = "one ordinary id (" + std::to_string(sandbox::callers_identity().uid) + ")";
  if (result && host.caller_is_root) {
    seen += ", the working folder's owner mapped to it";
    if (Status mapped = sandbox::map_ids_of_folder(); !mapped) {
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

Row check_landlock(const Surroundings& host) {
  int abi = sandbox::probe_landlock_abi();
  if (abi >= sandbox::kLeastLandlockAbi) {
    sandbox::TrialResult entered =
        sandbox::attempt({Wall::landlock, 0, {kForbid, "enter Landlock"}});
    return row_for(Wall::landlock, entered, "entered, ABI " + std::to_string(abi), host);
  }
  std::string seen = abi > 0 ? "ABI " + std::to_string(abi) + ", and 2 is needed (Linux 5.19)"
                             : "not on in this kernel";
  return {Part::wall, name_of(Wall::landlock), false, false, seen, landlock_mend(abi)};
}

// A run refuses if any of them cannot be built, so the last word is a run's own.
Row check_all(const sandbox::Plan& plan, const Surroundings& host) {
  auto before = clock::monotonic();
  sandbox::TrialResult result = sandbox::attempt_launch(plan);
  auto took = (clock::monotonic() - before) / 1000000;
  Row row = row_for(result ? Wall::lifeline : result.error().wall, result,
                    "a whole sandbox stood and ended in " + std::to_string(took) + " ms", host);
  row.name = "all together";
  row.required = true;
  return row;
}

}  // namespace

std::vector<Row> examine_walls(const Surroundings& host) {
  auto caller = session::read_caller();
  sandbox::Plan plan = plan_empty_run(caller ? caller->home : "/home/agent");
  std::vector<Row> rows;
  bool user_namespace = true;
  for (const WallCheck& check : wall_checks()) {
    if ((check.namespaces & kUser) != 0 && !user_namespace) {
      rows.push_back(without_namespace(check.wall));
      continue;
    }
    sandbox::TrialResult result = sandbox::attempt(
        {check.wall, check.namespaces, check.steps, part_of(plan.mounts, check.below), check.act});
    rows.push_back(row_for(check.wall, result, check.seen, host));
    if (check.wall != Wall::user_namespace) continue;
    user_namespace = result.has_value();
    rows.push_back(user_namespace ? check_identity(host) : without_namespace(Wall::own_identity));
  }
  bool missing = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.there; });
  if (!missing) rows.push_back(check_all(plan, host));
  rows.push_back(check_landlock(host));
  return rows;
}

}  // namespace ringwall::verify
