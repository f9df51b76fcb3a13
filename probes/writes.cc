// P09: only granted places can be written.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/syscalls.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr const char* kFolders[] = {
    "/",    "/etc",  "/usr", "/usr/bin", "/usr/local/bin", "/bin", "/lib", "/sbin",         "/opt",
    "/var", "/boot", "/sys", "/proc",    "/proc/sys",      "/dev", "/run", "/etc/profile.d"};

constexpr const char* kFiles[] = {
    "/etc/passwd",
    "/etc/group",
    "/etc/hosts",
    "/etc/resolv.conf",
    "/etc/ld.so.cache",
    "/etc/profile",
    "/usr/bin/env",
    "/bin/sh",
    "/usr/lib/os-release",
    "/proc/sys/kernel/core_pattern",
    "/proc/sysrq-trigger",
    "/sys/power/state",
    "/sys/kernel/uevent_helper",
    "/sys/fs/cgroup/cgroup.procs",
};

int make_and_remove(const std::string& folder) {
  std::string path = folder + "/.ringwall-probe-" + std::to_string(getpid());
  int err = try_open(path, O_WRONLY | O_CREAT | O_EXCL);
  if (err == 0) unlink(path.c_str());
  return err;
}

int make_folder(const std::string& folder) {
  std::string path = folder + "/.ringwall-probe-" + std::to_string(getpid());
  if (mkdir(path.c_str(), 0700) < 0) return errno;
  rmdir(path.c_str());
  return 0;
}

// The same mode again: shows the right and changes nothing.
int change_mode(const std::string& path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) < 0) return errno;
  return chmod(path.c_str(), facts.st_mode & 07777) == 0 ? 0 : errno;
}

int remount_writable(const char* path) {
  if (mount(nullptr, path, nullptr, MS_REMOUNT | MS_BIND | MS_NOSUID | MS_NODEV, nullptr) == 0)
    return 0;
  return errno;
}

int clear_read_only(const char* path) {
  mount_attr attributes{};
  attributes.attr_clr = MOUNT_ATTR_RDONLY;
  return sys::mount_setattr(AT_FDCWD, path, 0, &attributes) == 0 ? 0 : errno;
}

int mount_over(const char* path) {
  return mount("tmpfs", path, "tmpfs", 0, nullptr) == 0 ? 0 : errno;
}

// Only where the mounts are not the host's: a remount that succeeds must not change the host.
void try_remounts(Acts& acts, const Outside& outside) {
  if (outside.namespaces.empty() || shares_namespace(outside, "mnt")) return;
  for (const char* path : {"/", "/usr", "/proc/sys"}) {
    acts.tried(std::string("remount ") + path, in_child([&] { return remount_writable(path); }));
    acts.tried(std::string("make writable ") + path,
               in_child([&] { return clear_read_only(path); }));
  }
  acts.tried("mount over /opt", in_child([&] { return mount_over("/opt"); }));
}

void try_canary(Acts& acts, const Outside& outside) {
  if (outside.canary_file.empty()) return acts.untried("no canary was planted");
  acts.tried("open the canary for writing", try_open(outside.canary_file, O_WRONLY | O_APPEND));
  acts.tried("change the canary's mode", change_mode(outside.canary_file));
}

}  // namespace

Verdict probe_writes(const Outside& outside) {
  Acts acts;
  for (const char* folder : kFolders) {
    acts.tried(std::string("make a file in ") + folder, make_and_remove(folder));
    acts.tried(std::string("make a folder in ") + folder, make_folder(folder));
  }
  for (const char* file : kFiles)
    acts.tried(std::string("write ") + file, try_open(file, O_WRONLY | O_APPEND));
  try_canary(acts, outside);
  try_remounts(acts, outside);
  return acts.verdict();
}

}  // namespace ringwall::probes
