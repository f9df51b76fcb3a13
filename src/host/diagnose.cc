// Three tables of causes, asked in this order: what surrounds this process, switches of the kernel,
// and what the failed wall itself may lack. The first that fits gives the words.
#include "host/diagnose.h"

#include <cstring>

#include "base/text.h"

namespace ringwall::host {
namespace {

using sandbox::LaunchFailure;
using sandbox::Wall;

constexpr const char* kContainerFlags =
    "start the container with --security-opt seccomp=unconfined --security-opt "
    "apparmor=unconfined --security-opt systempaths=unconfined (docker), or --security-opt "
    "seccomp=unconfined --security-opt unmask=ALL (podman)";

bool is_refusal(int err) { return err == EPERM || err == EACCES || err == ENOSYS; }

bool at_namespaces(const LaunchFailure& failure) {
  return failure.step == "make the namespaces" || failure.step == "write the id maps" ||
         failure.error.what.starts_with("cannot make a user namespace");
}

bool at_mounts(const LaunchFailure& failure) {
  return failure.wall == Wall::new_root || failure.wall == Wall::read_only ||
         failure.wall == Wall::fresh_proc || failure.wall == Wall::private_dev;
}

// Needs a capability in the new user namespace.
bool needs_capability(const LaunchFailure& failure) {
  return at_mounts(failure) || failure.wall == Wall::network_namespace ||
         failure.wall == Wall::network_redirect || failure.wall == Wall::uts_namespace ||
         at_namespaces(failure);
}

// A switch that stops namespaces. `err` is what the kernel answers while it is at `stops_at`.
struct KernelSwitch {
  const char* name;
  Wall wall;
  const char* stops_at;
  int err;
  bool binds_root;
  const char* reason;
  const char* mend;
};

constexpr KernelSwitch kSwitches[] = {
    {"user.max_user_namespaces", Wall::user_namespace, "0", ENOSPC, true,
     "user namespaces are switched off (user.max_user_namespaces=0)",
     "sudo sysctl -w user.max_user_namespaces=15000"},
    {"kernel.unprivileged_userns_clone", Wall::user_namespace, "0", EPERM, false,
     "user namespaces are switched off for ordinary users (kernel.unprivileged_userns_clone=0)",
     "sudo sysctl -w kernel.unprivileged_userns_clone=1"},
    {"kernel.apparmor_restrict_unprivileged_userns", Wall::user_namespace, "1", EPERM, false,
     "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns=1)",
     "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or give ringwall alone a "
     "profile (docs/hosts.md)"},
    {"user.max_mnt_namespaces", Wall::mount_namespace, "0", ENOSPC, true,
     "mount namespaces are switched off (user.max_mnt_namespaces=0)",
     "sudo sysctl -w user.max_mnt_namespaces=15000"},
    {"user.max_pid_namespaces", Wall::pid_namespace, "0", ENOSPC, true,
     "pid namespaces are switched off (user.max_pid_namespaces=0)",
     "sudo sysctl -w user.max_pid_namespaces=15000"},
    {"user.max_net_namespaces", Wall::network_namespace, "0", ENOSPC, true,
     "network namespaces are switched off (user.max_net_namespaces=0)",
     "sudo sysctl -w user.max_net_namespaces=15000"},
    {"user.max_ipc_namespaces", Wall::ipc_namespace, "0", ENOSPC, true,
     "ipc namespaces are switched off (user.max_ipc_namespaces=0)",
     "sudo sysctl -w user.max_ipc_namespaces=15000"},
    {"user.max_uts_namespaces", Wall::uts_namespace, "0", ENOSPC, true,
     "uts namespaces are switched off (user.max_uts_namespaces=0)",
     "sudo sysctl -w user.max_uts_namespaces=15000"},
    {"user.max_cgroup_namespaces", Wall::cgroup_namespace, "0", ENOSPC, true,
     "cgroup namespaces are switched off (user.max_cgroup_namespaces=0)",
     "sudo sysctl -w user.max_cgroup_namespaces=15000"},
};

bool is_closed(const KernelSwitch& row, const Surroundings& host) {
  return host.value_of(row.name) == row.stops_at && (row.binds_root || !host.caller_is_root);
}

bool fits(const KernelSwitch& row, const LaunchFailure& failure, const Surroundings& host) {
  if (!is_closed(row, host)) return false;
  int err = failure.error.err == EACCES ? EPERM : failure.error.err;
  return err == row.err && (row.err == ENOSPC ? at_namespaces(failure) : needs_capability(failure));
}

struct Cause {
  bool (*fits)(const LaunchFailure& failure, const Surroundings& host);
  const char* reason;
  const char* mend;
};

constexpr Cause kAround[] = {
    {[](const LaunchFailure&, const Surroundings& host) { return host.inside_ringwall; },
     "this process runs inside Ringwall already, which lets no second sandbox start",
     "run it outside; the walls that stand already hold for every command here"},
    {[](const LaunchFailure&, const Surroundings& host) { return !host.proc_mounted; },
     "/proc is not mounted", "sudo mount -t proc proc /proc"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return at_namespaces(failure) && failure.error.err == EPERM && host.in_chroot;
     },
     "this process runs in a chroot, where the kernel makes no user namespace",
     "run ringwall outside the chroot, or enter the folder by pivot_root instead: sudo systemd-run "
     "-p RootDirectory=FOLDER -t ringwall …"},
};

constexpr Cause kOwn[] = {
    {[](const LaunchFailure& failure, const Surroundings& host) {
       bool identity = failure.wall == Wall::own_identity || failure.step == "write the id maps";
       return identity && host.caller_is_root && host.ids_are_mapped;
     },
     "root here is root of a user namespace only (a rootless container), which does not map the id "
     "that root's sandboxes get",
     "run it as an ordinary user of the container: setpriv --reuid 1000 --regid 1000 "
     "--clear-groups ringwall run …"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return failure.wall == Wall::own_identity && is_refusal(failure.error.err) &&
              host.caller_is_root && host.lacks_admin;
     },
     "root here lacks CAP_SYS_ADMIN, as root of a container does, and cannot map the owners of "
     "files",
     "start the container as an ordinary user, with --user 1000:1000; or as root with --cap-add "
     "SYS_ADMIN, and home and workspace on volumes"},
    {[](const LaunchFailure& failure, const Surroundings&) {
       return at_namespaces(failure) && failure.error.err == ENOSPC;
     },
     "the limit of namespaces is reached",
     "end other sandboxes, or raise the limits: sudo sysctl -w user.max_user_namespaces=15000 "
     "user.max_net_namespaces=15000"},
    {[](const LaunchFailure& failure, const Surroundings&) {
       return failure.wall == Wall::keyring && failure.error.err == EDQUOT;
     },
     "the user's quota of keys is used up (kernel.keys.maxkeys)",
     "sudo sysctl -w kernel.keys.maxkeys=2000"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       // Quotas are set there before a fresh one is mounted.
       bool read_only = failure.wall == Wall::limits && failure.error.err == EROFS;
       bool refused = at_mounts(failure) && failure.error.err == EPERM;
       return (read_only || refused) && !host.masked_proc.empty() &&
              failure.error.what.find("proc") != std::string::npos;
     },
     "parts of /proc are masked, as container runtimes do, and the kernel then refuses a fresh one",
     "start the container with --security-opt systempaths=unconfined (docker) or "
     "--security-opt unmask=ALL (podman)"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return is_refusal(failure.error.err) && host.filtered && !host.container.empty();
     },
     "the container's system-call filter refuses it", kContainerFlags},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return is_refusal(failure.error.err) && host.filtered;
     },
     "a system-call filter around this process (another sandbox, a container, a service) refuses "
     "it",
     "run ringwall outside of it"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return needs_capability(failure) && is_refusal(failure.error.err) &&
              !host.apparmor_profile.empty();
     },
     "the AppArmor profile on this process refuses it", kContainerFlags},
    {[](const LaunchFailure& failure, const Surroundings&) {
       // What the kernel says where the whole, a kind of rule or a kind of chain is missing.
       int err = failure.error.err;
       return failure.wall == Wall::network_redirect &&
              (err == EPROTONOSUPPORT || err == EAFNOSUPPORT || err == EOPNOTSUPP ||
               err == ENOENT || err == EINVAL || err == ENOSYS);
     },
     "this kernel's nf_tables is missing, or not all of its modules are loaded",
     "sudo modprobe -a nf_tables nft_chain_nat nft_redir nft_ct nft_reject_inet; a run without "
     "--allow and --reach-host does not need them"},
    {[](const LaunchFailure& failure, const Surroundings&) {
       return at_namespaces(failure) && failure.error.err == ENOSYS;
     },
     "the kernel has no clone3 (Linux 5.3)", "install a newer kernel: Linux 5.15 or later"},
    {[](const LaunchFailure& failure, const Surroundings&) {
       return at_mounts(failure) && failure.error.err == ENOSYS;
     },
     "the kernel lacks mount_setattr (Linux 5.12)", "install a newer kernel: Linux 5.15 or later"},
    {[](const LaunchFailure& failure, const Surroundings&) {
       return failure.step == "make the namespaces" && failure.error.err == EINVAL;
     },
     "the kernel was built without this kind of namespace", "install your distribution's kernel"},
    {[](const LaunchFailure& failure, const Surroundings& host) {
       return at_namespaces(failure) && failure.error.err == EPERM && !host.container.empty();
     },
     "the container refuses namespaces", kContainerFlags},
};

std::string what_failed(const LaunchFailure& failure) {
  if (failure.step == "make the namespaces") {
    return std::string("the kernel refused to make the namespaces: ") + strerror(failure.error.err);
  }
  return failure.error.text() + " (step: " + failure.step + ")";
}

}  // namespace

Diagnosis diagnose(const LaunchFailure& failure, const Surroundings& host) {
  Diagnosis own{what_failed(failure), failure.error.hint, failure.wall};
  // An error that knows its own remedy is nearer to the cause than any table, unless somebody
  // forbade the call as such.
  if (!own.mend.empty() && !is_refusal(failure.error.err)) return own;
  for (const Cause& cause : kAround) {
    if (cause.fits(failure, host)) return {cause.reason, cause.mend, failure.wall};
  }
  for (const KernelSwitch& row : kSwitches) {
    if (fits(row, failure, host)) return {row.reason, row.mend, row.wall};
  }
  for (const Cause& cause : kOwn) {
    if (cause.fits(failure, host)) return {cause.reason, cause.mend, failure.wall};
  }
  return own;
}

std::vector<Diagnosis> closed_switches(const Surroundings& host) {
  std::vector<Diagnosis> closed;
  for (const KernelSwitch& row : kSwitches) {
    if (is_closed(row, host)) closed.push_back({row.reason, row.mend, row.wall});
  }
  return closed;
}

Diagnosis diagnose(const LaunchFailure& failure) { return diagnose(failure, read_surroundings()); }

}  // namespace ringwall::host
