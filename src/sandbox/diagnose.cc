#include "sandbox/diagnose.h"

#include <sys/stat.h>

#include <cstring>

#include "base/file.h"
#include "base/text.h"

namespace ringwall::sandbox {
namespace {

std::string read_switch(const std::string& path) {
  auto value = file::read(path);
  return value ? std::string(text::trim(*value)) : "";
}

// Switches that stop user namespaces, in the order in which they are likely to be the cause.
struct KernelSwitch {
  const char* path;
  const char* stops_at;
  const char* reason;
  const char* mend;
};

constexpr KernelSwitch kSwitches[] = {
    {"/proc/sys/user/max_user_namespaces", "0",
     "user namespaces are switched off (user.max_user_namespaces=0)",
     "sudo sysctl -w user.max_user_namespaces=15000"},
    {"/proc/sys/kernel/unprivileged_userns_clone", "0",
     "user namespaces are switched off for ordinary users (kernel.unprivileged_userns_clone=0)",
     "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
    {"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)",
     "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or install Ringwall's "
     "AppArmor profile"},
    {"/proc/sys/user/max_mnt_namespaces", "0",
     "mount namespaces are switched off (user.max_mnt_namespaces=0)",
     "sudo sysctl -w user.max_mnt_namespaces=15000"},
    {"/proc/sys/user/max_pid_namespaces", "0",
     "pid namespaces are switched off (user.max_pid_namespaces=0)",
     "sudo sysctl -w user.max_pid_namespaces=15000"},
    {"/proc/sys/user/max_net_namespaces", "0",
     "network namespaces are switched off (user.max_net_namespaces=0)",
     "sudo sysctl -w user.max_net_namespaces=15000"},
    {"/proc/sys/user/max_ipc_namespaces", "0",
     "ipc namespaces are switched off (user.max_ipc_namespaces=0)",
     "sudo sysctl -w user.max_ipc_namespaces=15000"},
    {"/proc/sys/user/max_uts_namespaces", "0",
     "uts namespaces are switched off (user.max_uts_namespaces=0)",
     "sudo sysctl -w user.max_uts_namespaces=15000"},
    {"/proc/sys/user/max_cgroup_namespaces", "0",
     "cgroup namespaces are switched off (user.max_cgroup_namespaces=0)",
     "sudo sysctl -w user.max_cgroup_namespaces=15000"},
};

bool is_in_chroot() {
  struct stat own, init;
  if (stat("/", &own) < 0 || stat("/proc/1/root/.", &init) < 0) return false;
  return own.st_ino != init.st_ino || own.st_dev != init.st_dev;
}

bool is_inside_ringwall() {
  auto filter = file::read("/proc/self/status");
  return filter && filter->find("Seccomp:\t2") != std::string::npos &&
         filter->find("NoNewPrivs:\t1") != std::string::npos;
}

Diagnosis diagnose_namespaces(int err) {
  for (const KernelSwitch& row : kSwitches) {
    if (read_switch(row.path) == row.stops_at) return {row.reason, row.mend};
  }
  if (err == ENOSPC) {
    return {"the limit of namespaces is reached",
            "end other sandboxes, or raise the limits: sysctl user.max_user_namespaces "
            "user.max_net_namespaces"};
  }
  if (is_inside_ringwall()) {
    return {
        "this process already runs under a system-call filter (another sandbox, or Ringwall "
        "itself)",
        "run ringwall outside of it; a sandbox cannot be started from inside another"};
  }
  if (is_in_chroot()) {
    return {"this process runs in a chroot, where the kernel makes no user namespace",
            "run ringwall outside the chroot, or enter it with a mount namespace (unshare, "
            "pivot_root)"};
  }
  return {std::string("the kernel refused to make the namespaces: ") + strerror(err),
          "in a container: start it with --security-opt seccomp=unconfined --security-opt "
          "apparmor=unconfined"};
}

bool is_proc_masked() {
  auto mounts = file::read("/proc/self/mountinfo", 16 << 20);
  if (!mounts) return false;
  for (const std::string& line : text::split(*mounts, '\n')) {
    std::vector<std::string> fields = text::split(line, ' ');
    if (fields.size() > 4 && fields[4].starts_with("/proc/")) return true;
  }
  return false;
}

std::string step_text(const LaunchFailure& failure) {
  return failure.error.text() + " (step: " + failure.step + ")";
}

}  // namespace

Diagnosis diagnose(const LaunchFailure& failure) {
  int err = failure.error.err;
  if (failure.step == "make the namespaces" || failure.step == "write the id maps") {
    return diagnose_namespaces(err);
  }
  bool mounting = failure.wall == Wall::new_root;
  if (mounting && err == EPERM && failure.error.what.find("/proc") != std::string::npos &&
      is_proc_masked()) {
    return {
        "parts of /proc are masked, as container runtimes do, and the kernel then refuses a fresh "
        "one",
        "start the container with --security-opt systempaths=unconfined (docker) or "
        "--security-opt unmask=ALL (podman)"};
  }
  bool restricted = read_switch("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1";
  if ((mounting || failure.wall == Wall::network_namespace ||
       failure.wall == Wall::uts_namespace) &&
      (err == EPERM || err == EACCES) && restricted) {
    return diagnose_namespaces(err);
  }
  return {step_text(failure), failure.error.hint};
}

}  // namespace ringwall::sandbox
