#include "guard/owner_check.h"

#include <fcntl.h>
#include <linux/nsfs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"

namespace ringwall::guard {
namespace {

// What stands after `name` on its line.
Result<std::string> line_of(const std::string& path, std::string_view name) {
  TRY_ASSIGN(std::string content, file::read(path));
  for (const std::string& line : text::split(content, '\n')) {
    if (line.starts_with(name)) return line.substr(name.size());
  }
  return fail("no " + std::string(name) + " in " + path);
}

Result<pid_t> pid_of(int pidfd) {
  TRY_ASSIGN(std::string line, line_of("/proc/self/fdinfo/" + std::to_string(pidfd), "Pid:"));
  pid_t pid = atoi(line.c_str());
  if (pid <= 0) return fail("that process has ended, or is none that the guard can see");
  return pid;
}

Result<ino_t> number_of(int fd) {
  struct stat info;
  if (fstat(fd, &info) < 0) return fail_errno("cannot look at a namespace");
  return info.st_ino;
}

struct Namespace {
  Fd fd;
  ino_t number = 0;
};

// One of the process's own, which is not ours too.
Result<Namespace> open_namespace(const std::string& folder, const char* name) {
  Namespace found;
  TRY_ASSIGN(found.fd, file::open(folder + name, O_RDONLY));
  TRY_ASSIGN(found.number, number_of(found.fd.get()));
  TRY_ASSIGN(Fd ours, file::open(std::string("/proc/self/ns/") + name, O_RDONLY));
  TRY_ASSIGN(ino_t our_number, number_of(ours.get()));
  if (found.number == our_number) return fail("that process is in no sandbox");
  return found;
}

Status check_belongs(const Namespace& space, const Namespace& user) {
  Fd around(ioctl(space.fd.get(), NS_GET_USERNS));
  if (!around) return fail_errno("cannot ask whose namespace it is");
  TRY_ASSIGN(ino_t number, number_of(around.get()));
  if (number != user.number) return fail("that process is not in a sandbox of its own");
  return {};
}

Status check_is_first(pid_t pid) {
  TRY_ASSIGN(std::string line, line_of("/proc/" + std::to_string(pid) + "/status", "NSpid:"));
  if (!line.ends_with("\t1")) return fail("that process is not the first of its sandbox");
  return {};
}

}  // namespace

Result<Sandbox> check_owner(Fd pidfd, uid_t owner) {
  Sandbox sandbox;
  TRY_ASSIGN(sandbox.pid, pid_of(pidfd.get()));
  std::string folder = "/proc/" + std::to_string(sandbox.pid) + "/ns/";
  TRY_ASSIGN(Namespace user, open_namespace(folder, "user"));
  uid_t whose = 0;
  if (ioctl(user.fd.get(), NS_GET_OWNER_UID, &whose) < 0)
    return fail_errno("cannot ask whose namespace it is");
  if (whose != owner) return fail("that sandbox belongs to another user");
  TRY_ASSIGN(Namespace processes, open_namespace(folder, "pid"));
  TRY_ASSIGN(Namespace mounts, open_namespace(folder, "mnt"));
  TRY(check_belongs(processes, user));
  TRY(check_belongs(mounts, user));
  TRY(check_is_first(sandbox.pid));
  // Alive until now, so all that was read is of that very process.
  if (sys::pidfd_send_signal(pidfd.get(), 0, nullptr, 0) < 0)
    return fail_errno("that process has ended");
  sandbox.pidfd = std::move(pidfd);
  sandbox.process_namespace = static_cast<uint32_t>(processes.number);
  return sandbox;
}

}  // namespace ringwall::guard
