// What single features use. Nothing here stops a run.
#include <fcntl.h>
#include <linux/kvm.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "host/diagnose.h"
#include "host/trial.h"
#include "limits/cgroup.h"
#include "sandbox/id_map.h"
#include "sandbox/managed_settings.h"
#include "verify/doctor.h"
#include "verify/redirect_trial.h"

namespace ringwall::verify {
namespace {

using host::Surroundings;
using sandbox::Wall;

HostRow found(const char* name, std::string seen) {
  return {Part::feature, name, false, true, std::move(seen), ""};
}

HostRow lacking(const char* name, std::string seen, std::string mend) {
  return {Part::feature, name, false, false, std::move(seen), std::move(mend)};
}

// A part that was not reached says nothing about itself.
HostRow lacking_in_namespaces(const char* name, const sandbox::LaunchFailure& failure,
                              const char* mend) {
  bool reached = failure.step != "make the namespaces" && failure.step != "write the id maps";
  if (!reached) return lacking(name, "needs a user namespace", "");
  return lacking(name, failure.error.text(), mend);
}

HostRow check_cgroup(const Surroundings&) {
  constexpr const char* kName = "cgroup v2";
  limits::CgroupFacts facts = limits::read_cgroup_facts();
  limits::CgroupPlan plan = limits::plan_cgroup(facts, {.cpu = true});
  if (plan.way == limits::CgroupPlan::Way::none) {
    return lacking(kName,
                   plan.why_not + "; --memory is watched instead, --cpu and --io cannot be had",
                   plan.mend);
  }
  bool by_manager = plan.way == limits::CgroupPlan::Way::scope;
  std::string where =
      (by_manager ? "by the service manager at " : "below ") + text::quote(plan.parent);
  limits::CgroupPlan for_io = limits::plan_cgroup(facts, {.cpu = true, .io = true});
  if (for_io.way != limits::CgroupPlan::Way::none)
    return found(kName, where + " (used by --memory, --cpu and --io)");
  HostRow row = found(kName, where + " (used by --memory and --cpu); --io cannot be had: " +
                                 "the controller io was not handed on");
  row.mend = for_io.mend;
  return row;
}

HostRow check_overlay(const Surroundings&) {
  host::TrialResult made =
      host::attempt({Wall::new_root, CLONE_NEWUSER | CLONE_NEWNS, {}, {}, host::make_overlay});
  if (made) return found("overlayfs", "mounted in a user namespace (used by --review and --cache)");
  return lacking_in_namespaces("overlayfs", made.error(),
                               "sudo modprobe overlay, on a kernel of 5.11 or later");
}

// A run that nothing was granted to does without; for others it is the wall network-redirect, and
// these are the words of its refusal.
HostRow check_nftables(const Surroundings& host) {
  host::TrialResult made = try_redirect();
  if (made) return found("nftables", "connections were taken to a wall (used by --allow)");
  host::Diagnosis words = host::diagnose(made.error(), host);
  return lacking("nftables", words.reason, words.mend);
}

HostRow check_kvm(const Surroundings&) {
  constexpr const char* kName = "KVM";
  Fd device(open("/dev/kvm", O_RDWR | O_CLOEXEC));
  if (!device) {
    if (errno != EACCES && errno != EPERM) {
      return lacking(
          kName, std::string("/dev/kvm: ") + strerror(errno),
          "sudo modprobe kvm_intel (or kvm_amd), with virtualization on in the firmware");
    }
    struct stat facts;
    bool for_group = stat("/dev/kvm", &facts) == 0 && (facts.st_mode & S_IWGRP) != 0;
    return lacking(kName, "/dev/kvm is there, but not for this user",
                   for_group ? "sudo usermod -aG kvm $USER, and log in again"
                             : "sudo setfacl -m u:$USER:rw /dev/kvm");
  }
  int version = ioctl(device.get(), KVM_GET_API_VERSION, 0);
  if (version < 0) return lacking(kName, std::string("/dev/kvm: ") + strerror(errno), "");
  return found(kName, "API " + std::to_string(version) +
                          "; nothing uses it yet, and no guest was booted to try it");
}

// No process inside is root's, and some agents obey only files that belong to it.
HostRow check_managed_settings(const Surroundings&) {
  constexpr const char* kName = "managed settings";
  std::string names = text::join(sandbox::agents_that_obey_root(), " and ");
  auto id = sandbox::find_id_to_show_as_root(host::callers_identity());
  if (id)
    return found(kName, "of all agents are enforced; those of " + names + " belong to uid " +
                            std::to_string(*id) + ", which shows as 0 inside");
  return lacking(kName,
                 "of " + names + " are not enforced, which must be root's inside: " +
                     id.error().text() + "; those of the other agents are",
                 id.error().hint);
}

}  // namespace

std::vector<HostRow> examine_features(const Surroundings& host) {
  std::vector<HostRow> rows;
  for (auto* check :
       {check_cgroup, check_overlay, check_nftables, check_kvm, check_managed_settings})
    rows.push_back(check(host));
  for (HostRow& row : examine_exec_kinds())
    rows.push_back(std::move(row));
  return rows;
}

}  // namespace ringwall::verify
