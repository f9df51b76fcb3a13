// What single features use, and what walls that are still to come will be made of. Nothing here
// stops a run.
#include <fcntl.h>
#include <linux/kvm.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/text.h"
#include "sandbox/cgroup.h"
#include "sandbox/host_checks.h"
#include "verify/doctor.h"

namespace ringwall::verify {
namespace {

using sandbox::Surroundings;
using sandbox::Wall;

Row found(const char* name, std::string seen) {
  return {Part::later, name, false, true, std::move(seen), ""};
}

Row lacking(const char* name, std::string seen, std::string mend) {
  return {Part::later, name, false, false, std::move(seen), std::move(mend)};
}

// A part that was not reached says nothing about itself.
Row lacking_in_namespaces(const char* name, const sandbox::LaunchFailure& failure,
                          const char* mend) {
  bool reached = failure.step != "make the namespaces" && failure.step != "write the id maps";
  if (!reached) return lacking(name, "needs a user namespace", "");
  return lacking(name, failure.error.text(), mend);
}

std::string boot_parameter(const std::string& parameter, const char* file) {
  return "echo 'GRUB_CMDLINE_LINUX=\"$GRUB_CMDLINE_LINUX " + parameter +
         "\"' | sudo tee /etc/default/grub.d/" + file + " && sudo update-grub && sudo reboot";
}

Row check_cgroup(const Surroundings&) {
  constexpr const char* kName = "cgroup v2";
  sandbox::CgroupFacts facts = sandbox::read_cgroup_facts();
  sandbox::CgroupPlan plan = sandbox::plan_cgroup(facts, {.cpu = true});
  if (plan.way == sandbox::CgroupPlan::Way::none) {
    return lacking(kName,
                   plan.why_not + "; --memory is watched instead, --cpu and --io cannot be had",
                   plan.mend);
  }
  bool by_manager = plan.way == sandbox::CgroupPlan::Way::scope;
  std::string where =
      (by_manager ? "by the service manager at " : "below ") + text::quote(plan.parent);
  sandbox::CgroupPlan for_io = sandbox::plan_cgroup(facts, {.cpu = true, .io = true});
  if (for_io.way != sandbox::CgroupPlan::Way::none)
    return found(kName, where + " (used by --memory, --cpu and --io)");
  Row row = found(kName, where + " (used by --memory and --cpu); --io cannot be had: " +
                             "the controller io was not handed on");
  row.mend = for_io.mend;
  return row;
}

Row check_overlay(const Surroundings&) {
  sandbox::TrialResult made = sandbox::attempt(
      {Wall::new_root, CLONE_NEWUSER | CLONE_NEWNS, {}, {}, sandbox::make_overlay});
  if (made) return found("overlayfs", "mounted in a user namespace (used by --cache)");
  return lacking_in_namespaces("overlayfs", made.error(),
                               "sudo modprobe overlay, on a kernel of 5.11 or later");
}

Row check_nftables(const Surroundings&) {
  sandbox::TrialResult made = sandbox::attempt({Wall::network_namespace,
                                                CLONE_NEWUSER | CLONE_NEWNET,
                                                {},
                                                {},
                                                sandbox::make_nftables_table});
  if (made) return found("nftables", "a table was made in a network namespace");
  return lacking_in_namespaces("nftables", made.error(), "sudo modprobe nf_tables");
}

Row check_bpf_lsm(const Surroundings&) {
  constexpr const char* kName = "BPF LSM";
  auto modules = file::read("/sys/kernel/security/lsm");
  if (!modules) {
    return lacking(kName, "securityfs is not mounted, or this kernel has none",
                   "sudo mount -t securityfs securityfs /sys/kernel/security");
  }
  std::string list(text::trim(*modules));
  if (("," + list + ",").find(",bpf,") != std::string::npos) {
    return found(kName, "in the kernel's list " + text::quote(list));
  }
  return lacking(kName, "not in the kernel's list " + text::quote(list),
                 boot_parameter("lsm=" + list + ",bpf", "bpf.cfg"));
}

Row check_kvm(const Surroundings&) {
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
  return found(kName, "API " + std::to_string(version) + "; no guest was booted to try it");
}

}  // namespace

std::vector<Row> examine_later_parts(const Surroundings& host) {
  std::vector<Row> rows;
  for (auto* check : {check_cgroup, check_overlay, check_nftables, check_bpf_lsm, check_kvm})
    rows.push_back(check(host));
  return rows;
}

}  // namespace ringwall::verify
