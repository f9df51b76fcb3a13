// P01 to P03: does it run inside, and with no more rights than promised?
#include <fcntl.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>

#include "base/fd.h"
#include "base/file.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "probes/attempt.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr const char* kNamespaces[] = {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"};

// The value behind "Key:" in a status file of /proc.
std::string status_value(const std::string& status, const std::string& key) {
  size_t at = status.find("\n" + key + ":");
  if (at == std::string::npos) return "";
  size_t begin = status.find_first_not_of(" \t", at + key.size() + 2);
  return status.substr(begin, status.find('\n', begin) - begin);
}

constexpr const char* kSetuidPrograms[] = {"su",      "passwd", "newgrp", "chsh", "chfn",
                                           "gpasswd", "mount",  "umount", "sudo"};

std::vector<std::string> find_setuid_programs() {
  std::vector<std::string> found;
  for (const char* folder : {"/usr/bin/", "/bin/"}) {
    for (const char* name : kSetuidPrograms) {
      struct stat facts;
      std::string path = std::string(folder) + name;
      if (stat(path.c_str(), &facts) == 0 && (facts.st_mode & S_ISUID) != 0) found.push_back(path);
    }
    if (!found.empty()) break;  // /bin is most often the same folder
  }
  return found;
}

// Runs `program --version` and looks at the ids that it ended with: a process that has ended but
// was not waited for still shows them. Returns 0 if it gained an id.
int gains_by_exec(const std::string& program) {
  pid_t child = fork();
  if (child < 0) return errno;
  if (child == 0) {
    int null = open("/dev/null", O_RDWR);
    for (int fd = 0; fd < 3 && null >= 0; fd++)
      dup2(null, fd);
    execl(program.c_str(), program.c_str(), "--version", nullptr);
    _exit(errno);
  }
  siginfo_t info{};
  int waited = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  auto status = file::read("/proc/" + std::to_string(child) + "/status");
  waitpid(child, nullptr, 0);
  if (waited < 0 || !status) return ENODATA;
  std::istringstream ids(status_value(*status, "Uid"));
  uid_t real = 0, effective = 0, saved = 0;
  ids >> real >> effective >> saved;
  if (effective != getuid() || saved != getuid()) return 0;
  return EPERM;
}

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

constexpr mode_t kSetuid = S_ISUID | 0755;
constexpr mode_t kSetgid = S_ISGID | 0755;

int openat2_with_mode(const char* path, mode_t mode) {
  open_how how{};
  how.flags = O_WRONLY | O_CREAT | O_CLOEXEC;
  how.mode = mode;
  return sys::openat2(AT_FDCWD, path, how);
}

// A file without a name, which gets one afterwards.
int open_tmpfile(const char* path) {
  std::string folder = path::parent(path);
  int fd = open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, kSetuid);
  if (fd < 0) return -1;
  std::string unnamed = "/proc/self/fd/" + std::to_string(fd);
  if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0) return fd;
  close(fd);
  return -1;
}

// Raw calls, since libc chooses among them as it likes. Each answers as a system call does; what it
// answers may be a descriptor.
struct WayToSetuid {
  const char* name;
  bool makes_the_file;  // otherwise it changes one
  long (*act)(const char* path, int fd);
};
constexpr WayToSetuid kWaysToSetuid[] = {
    {"chmod", false, [](const char* path, int) { return syscall(SYS_chmod, path, kSetuid); }},
    {"chmod of the group", false,
     [](const char* path, int) { return syscall(SYS_chmod, path, kSetgid); }},
    {"fchmod", false, [](const char*, int fd) { return syscall(SYS_fchmod, fd, kSetuid); }},
    {"fchmodat", false,
     [](const char* path, int) { return syscall(SYS_fchmodat, AT_FDCWD, path, kSetuid); }},
    {"fchmodat2", false,
     [](const char* path, int) { return syscall(SYS_fchmodat2, AT_FDCWD, path, kSetuid, 0); }},
    {"open", true,
     [](const char* path, int) { return syscall(SYS_open, path, O_WRONLY | O_CREAT, kSetuid); }},
    {"openat", true,
     [](const char* path, int) {
       return syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT, kSetuid);
     }},
    {"openat2", true,
     [](const char* path, int) { return static_cast<long>(openat2_with_mode(path, kSetuid)); }},
    {"O_TMPFILE", true,
     [](const char* path, int) { return static_cast<long>(open_tmpfile(path)); }},
    {"creat", true, [](const char* path, int) { return syscall(SYS_creat, path, kSetuid); }},
    {"mknod", true,
     [](const char* path, int) { return syscall(SYS_mknod, path, S_IFREG | kSetuid, 0); }},
    {"mknodat", true,
     [](const char* path, int) {
       return syscall(SYS_mknodat, AT_FDCWD, path, S_IFREG | kSetuid, 0);
     }},
};

// 0 if there is a setuid or setgid file at `path` afterwards.
int make_setuid(const std::string& path, const WayToSetuid& way) {
  Fd file;
  if (!way.makes_the_file) {
    file = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0700));
    if (!file) return errno;
  }
  long answer = way.act(path.c_str(), file.get());
  int err = errno;
  if (answer > 2 && way.makes_the_file) close(static_cast<int>(answer));
  struct stat facts;
  bool made = stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_ISUID | S_ISGID)) != 0;
  if (made) return 0;
  return answer < 0 ? err : ENODATA;
}

// Behind the walls such a file gives nothing; on the host it would be the caller's program, for
// everybody to run.
void make_setuid_files(Acts& acts, const std::string& workspace) {
  Scratch scratch(workspace);
  if (!scratch) return acts.untried("the workspace cannot be written");
  for (const WayToSetuid& way : kWaysToSetuid) {
    std::string path = scratch.path() + "/setuid";
    acts.tried(std::string("make a setuid file by ") + way.name, make_setuid(path, way));
    unlink(path.c_str());
  }
}

// The id that ours is outside, by the map; -1 if it cannot be known.
long outside_id(uid_t inside) {
  auto map = file::read("/proc/self/uid_map");
  if (!map) return -1;
  std::istringstream lines(*map);
  unsigned long first, there, count;
  while (lines >> first >> there >> count) {
    if (inside >= first && inside < first + count) return static_cast<long>(there + inside - first);
  }
  return -1;
}

void try_kernel_settings(Acts& acts) {
  for (const char* path :
       {"/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/kernel/hostname",
        "/proc/sys/vm/overcommit_memory", "/proc/sys/net/ipv4/ip_forward", "/proc/sysrq-trigger"}) {
    acts.tried(std::string("open ") + path + " for writing", try_open(path, O_WRONLY));
  }
}

int raise_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct all[2] = {{~0u, ~0u, 0}, {0x1ff, 0x1ff, 0}};
  if (syscall(SYS_capset, &header, all) == 0) return 0;
  all[0] = {1u << CAP_SYS_ADMIN, 1u << CAP_SYS_ADMIN, 0};
  all[1] = {};
  return syscall(SYS_capset, &header, all) == 0 ? 0 : errno;
}

// Any other id than ours, though one may be mapped.
int become_root() {
  bool was_root = getuid() == 0;
  if (setresuid(0, 0, 0) < 0) return errno;
  return !was_root || outside_id(0) == 0 ? 0 : EPERM;
}

}  // namespace

Verdict probe_inside(const Outside& outside) {
  Acts acts;
  if (outside.namespaces.empty()) acts.untried("no namespaces were recorded outside");
  for (const char* name : kNamespaces) {
    auto own = file::read_link(std::string("/proc/self/ns/") + name);
    std::string prefix = own ? own->substr(0, own->find('[')) : "";
    bool recorded = std::any_of(
        outside.namespaces.begin(), outside.namespaces.end(),
        [&](const std::string& there) { return !prefix.empty() && there.starts_with(prefix); });
    if (!own || !recorded) {
      acts.untried(std::string(name) + " namespace unknown");
    } else if (shares_namespace(outside, name)) {
      acts.got_in(std::string("the host's ") + name + " namespace");
    } else {
      acts.stopped(std::string("the host's ") + name + " namespace", "differs");
    }
  }
  return acts.verdict();
}

Verdict probe_setuid(const Outside& outside) {
  Acts acts;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
    acts.stopped("gain by exec", "no_new_privs");
  else
    acts.got_in("no_new_privs is not set");
  for (const std::string& program : find_setuid_programs()) {
    int err = gains_by_exec(program);
    if (err == 0)
      acts.got_in(program + " gained its owner's id");
    else if (err == EPERM)
      acts.stopped("run " + program, "id unchanged");
    else
      acts.untried(program + " could not be watched");
  }
  make_setuid_files(acts, outside.workspace);
  return acts.verdict();
}

Verdict probe_capabilities(const Outside&) {
  Acts acts;
  auto status = file::read("/proc/self/status");
  if (!status) acts.untried("/proc/self/status cannot be read");
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    if (!status) break;
    std::string value = status_value(*status, set);
    bool empty = !value.empty() && value.find_first_not_of('0') == std::string::npos;
    if (empty)
      acts.stopped(set, "empty");
    else
      acts.got_in(std::string(set) + " = " + value);
  }
  if (outside_id(getuid()) == 0)
    acts.got_in("this process is the host's uid 0");
  else
    acts.stopped("be the host's uid 0", "uid " + std::to_string(outside_id(getuid())));
  acts.tried("become uid 0", in_child(become_root));
  acts.tried("raise capabilities", in_child(raise_capabilities));
  try_kernel_settings(acts);
  return acts.verdict();
}

}  // namespace ringwall::probes
