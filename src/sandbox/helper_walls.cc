#include "sandbox/helper_walls.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/fd.h"
#include "sandbox/id_map.h"
#include "sandbox/landlock.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr HelperCalls kCalls[] = {
    {"move bytes between descriptors",
     "read write readv writev recvfrom recvmsg sendto sendmsg shutdown close"},
    {"wait", "poll ppoll clock_gettime clock_nanosleep restart_syscall"},
    {"a terminal's size and nothing else of it", "ioctl (TIOCSWINSZ)"},
    {"memory of its own", "brk mmap munmap mremap madvise futex"},
    {"end", "exit exit_group rt_sigreturn"},
    {"look at files",
     "openat openat2 newfstatat fstat statx getdents64 access faccessat faccessat2 readlinkat "
     "lseek pread64 inotify_init1 inotify_add_watch fcntl",
     true},
    {"move and copy what was planted",
     "renameat renameat2 unlinkat mkdirat symlinkat linkat chmod fchmod fchmodat fchmodat2 fchown "
     "fchownat "
     "utimensat ftruncate fallocate pwrite64 "
     "copy_file_range sendfile fsync fdatasync getrandom getuid geteuid umask",
     true},
};

constexpr int kAllowedNumbers[] = {
    SYS_read,    SYS_write,      SYS_readv,         SYS_writev,          SYS_recvfrom,
    SYS_recvmsg, SYS_sendto,     SYS_sendmsg,       SYS_shutdown,        SYS_close,
    SYS_poll,    SYS_ppoll,      SYS_clock_gettime, SYS_clock_nanosleep, SYS_restart_syscall,
    SYS_brk,     SYS_munmap,     SYS_mremap,        SYS_madvise,         SYS_futex,
    SYS_exit,    SYS_exit_group, SYS_rt_sigreturn};

constexpr int kFchmodat2 = 452;  // newer than the headers

constexpr int kBrokersNumbers[] = {
    SYS_openat,        SYS_openat2,    SYS_newfstatat,      SYS_fstat,
    SYS_statx,         SYS_getdents64, SYS_faccessat,       SYS_faccessat2,
    SYS_readlinkat,    SYS_lseek,      SYS_pread64,         SYS_inotify_add_watch,
    SYS_inotify_init1, SYS_access,     SYS_fcntl,           SYS_renameat,
    SYS_renameat2,     SYS_unlinkat,   SYS_mkdirat,         SYS_linkat,
    SYS_chmod,         kFchmodat2,     SYS_fchown,          SYS_fchownat,
    SYS_symlinkat,     SYS_fchmod,     SYS_fchmodat,        SYS_utimensat,
    SYS_ftruncate,     SYS_pwrite64,   SYS_copy_file_range, SYS_sendfile,
    SYS_fsync,         SYS_fdatasync,  SYS_getrandom,       SYS_getuid,
    SYS_geteuid,       SYS_umask,      SYS_fallocate};

// Memory that can be executed would be a way to new code.
constexpr uint32_t kExecutable = 0x4;  // PROT_EXEC

sock_filter statement(int code, uint32_t value) {
  return {static_cast<uint16_t>(code), 0, 0, value};
}
sock_filter jump(int test, uint32_t value, uint8_t yes, uint8_t no) {
  return {static_cast<uint16_t>(BPF_JMP | test | BPF_K), yes, no, value};
}
sock_filter load(size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}

constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr size_t kNumber = offsetof(seccomp_data, nr);

size_t argument(size_t index) { return offsetof(seccomp_data, args) + index * sizeof(uint64_t); }

std::vector<int> allowed_numbers(bool is_broker) {
  std::vector<int> numbers(std::begin(kAllowedNumbers), std::end(kAllowedNumbers));
  if (is_broker)
    numbers.insert(numbers.end(), std::begin(kBrokersNumbers), std::end(kBrokersNumbers));
  return numbers;
}

std::vector<sock_filter> helper_filter(bool is_broker) {
  auto give = [](uint32_t what) { return statement(BPF_RET | BPF_K, what); };
  std::vector<sock_filter> code = {load(offsetof(seccomp_data, arch)),
                                   jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
                                   give(SECCOMP_RET_KILL_PROCESS), load(kNumber)};
  for (int number : allowed_numbers(is_broker)) {
    code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 1));
    code.push_back(give(SECCOMP_RET_ALLOW));
  }
  code.push_back(jump(BPF_JEQ, SYS_mmap, 0, 4));
  code.push_back(load(argument(2)));
  code.push_back(jump(BPF_JSET, kExecutable, 0, 1));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
  code.push_back(jump(BPF_JEQ, SYS_ioctl, 0, 3));
  code.push_back(load(argument(1)));
  code.push_back(jump(BPF_JEQ, TIOCSWINSZ, 0, 1));
  code.push_back(give(SECCOMP_RET_ALLOW));
  code.push_back(give(kRefuse));
  return code;
}

Status filter_calls(bool is_broker) {
  std::vector<sock_filter> code = helper_filter(is_broker);
  sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
    return fail_errno("cannot install a helper's system-call filter");
  return {};
}

// Root's helper becomes an id that owns nothing.
Status leave_root() {
  if (getuid() != 0) return {};
  if (setgroups(0, nullptr) < 0 || setresgid(kRootsGuestId, kRootsGuestId, kRootsGuestId) < 0 ||
      setresuid(kRootsGuestId, kRootsGuestId, kRootsGuestId) < 0) {
    return fail_errno("cannot leave root's identity");
  }
  return {};
}

Status forbid_gaining() {
  // An ordinary caller may not touch the other sets, and without these two they give nothing.
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct nothing[2] = {};
  if (syscall(SYS_capset, &header, nothing) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return fail_errno("cannot give up a helper's privileges");
  return {};
}

int error_of(long result) {
  int err = errno;
  if (result >= 0) close(static_cast<int>(result));
  return result < 0 ? err : 0;
}

}  // namespace

std::span<const HelperCalls> helper_calls() { return kCalls; }

Status die_with(pid_t parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) return fail_errno("cannot set a death signal");
  if (getppid() != parent) _exit(1);
  return {};
}

Status close_all_but(std::vector<int> kept) {
  Fd null(open("/dev/null", O_RDWR | O_CLOEXEC));
  for (int fd = 0; fd < 3; fd++) {
    if (!null || dup2(null.get(), fd) < 0) return fail_errno("cannot close a helper's files");
  }
  null.close();
  std::sort(kept.begin(), kept.end());
  unsigned first = 3;
  for (int fd : kept) {
    if (fd < 0) continue;  // one that was not given
    auto number = static_cast<unsigned>(fd);
    if (number > first) close_range(first, number - 1, 0);
    first = std::max(first, number + 1);
  }
  if (close_range(first, ~0u, 0) < 0) return fail_errno("cannot close a helper's files");
  return {};
}

Status enter_helper_walls(const HelperRoom& room, pid_t parent, int landlock_abi) {
  bool is_broker = !room.folders.empty();
  TRY(die_with(parent));
  TRY(close_all_but(room.kept));
  // The files that the broker works on are root's own, then.
  if (!is_taken_away(Wall::helper_walls) && !is_broker) TRY(leave_root());
  // A change of id clears it.
  TRY(die_with(parent));
  TRY(forbid_gaining());
  bool second_wall = landlock_abi >= kLeastLandlockAbi && !is_taken_away(Wall::landlock);
  if (second_wall) TRY(apply_landlock(rules_for_change(room.folders, landlock_abi), landlock_abi));
  if (!is_taken_away(Wall::helper_walls)) TRY(filter_calls(is_broker));
  return {};
}

std::vector<HelperAct> try_forbidden_acts() {
  // By the kernel's own calls: libc would add some of its own on the way.
  char* const nothing[] = {nullptr};
  return {
      {"open a file", error_of(syscall(SYS_openat, AT_FDCWD, "/etc/passwd", O_RDONLY | O_CLOEXEC))},
      {"make a file", error_of(syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600))},
      {"list a folder", error_of(syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY))},
      {"make a socket", error_of(syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))},
      {"start a program", error_of(syscall(SYS_execve, "/nonexistent", nothing, nothing))},
      {"signal its parent", error_of(syscall(SYS_kill, getppid(), 0))},
  };
}

}  // namespace ringwall::sandbox
