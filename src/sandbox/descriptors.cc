#include "sandbox/descriptors.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>

namespace ringwall::sandbox {
namespace {

constexpr const char* kNames[] = {"stdin", "stdout", "stderr"};

Result<Descriptor> judge_socket(int fd, int place) {
  int type = 0, listens = 0;
  socklen_t size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) < 0 || type != SOCK_STREAM ||
      getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || listens != 0) {
    return fail(std::string(kNames[place]) + " is a socket that carries no stream",
                "redirect it to a file, a pipe or /dev/null");
  }
  return Descriptor::socket;
}

// Files that are doors to the kernel or to other processes: /proc/PID/mem, namespaces, pidfds,
// cgroups.
bool is_kernel_file(int fd) {
  constexpr long kPidfs = 0x50494446;  // not in every linux/magic.h
  constexpr long kTypes[] = {
      PROC_SUPER_MAGIC,   SYSFS_MAGIC,         NSFS_MAGIC,   kPidfs,
      DEBUGFS_MAGIC,      TRACEFS_MAGIC,       BPF_FS_MAGIC, SECURITYFS_MAGIC,
      CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SELINUX_MAGIC};
  struct statfs facts;
  if (fstatfs(fd, &facts) < 0) return true;
  return std::find(std::begin(kTypes), std::end(kTypes), facts.f_type) != std::end(kTypes);
}

}  // namespace

Result<Descriptor> judge_descriptor(int fd, int place, bool landlock) {
  struct stat facts;
  if (fstat(fd, &facts) < 0) return fail_errno(std::string("cannot look at ") + kNames[place]);
  if (S_ISFIFO(facts.st_mode)) return Descriptor::pass;
  if (S_ISSOCK(facts.st_mode)) return judge_socket(fd, place);
  if (S_ISREG(facts.st_mode)) {
    if (is_kernel_file(fd)) {
      return fail(std::string(kNames[place]) +
                      " is a file of the kernel's, which would lead out of the sandbox",
                  "pipe it instead: cat FILE | ringwall run …");
    }
    if (landlock) return Descriptor::pass;
    return fail(std::string(kNames[place]) +
                    " is a file, which could be opened again inside with more rights "
                    "on a kernel without Landlock",
                "pipe it instead: cat FILE | ringwall run …");
  }
  if (S_ISCHR(facts.st_mode) && facts.st_rdev == makedev(1, 3)) return Descriptor::pass;
  if (isatty(fd)) return Descriptor::terminal;
  std::string kind = S_ISDIR(facts.st_mode) ? "a folder" : "a device";
  return fail(std::string(kNames[place]) + " is " + kind + ", which would lead out of the sandbox",
              "redirect it to a file, a pipe or /dev/null");
}

Status sanitize_descriptors() {
  for (int fd = 0; fd < 3; fd++) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    if (open("/dev/null", O_RDWR) != fd) return fail_errno("cannot open /dev/null");
  }
  if (close_range(3, ~0u, 0) < 0) return fail_errno("cannot close inherited descriptors");
  return {};
}

}  // namespace ringwall::sandbox
