#include "sandbox/helper_walls.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <initializer_list>

#include "base/fd.h"
#include "base/own_namespace.h"
#include "calls/allowed_numbers.h"
#include "calls/filter_words.h"
#include "calls/install_filter.h"
#include "sandbox/id_map.h"
#include "sandbox/landlock.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

using namespace calls::filter_words;

constexpr HelperCalls kCalls[] = {
    {"move bytes between descriptors",
     "read write readv writev recvfrom recvmsg sendto sendmsg shutdown close"},
    {"wait", "poll ppoll clock_gettime clock_nanosleep restart_syscall"},
    {"a terminal's size and nothing else of it", "ioctl (TIOCSWINSZ)"},
    {"memory of its own", "brk mmap munmap mremap madvise futex"},
    {"end", "exit exit_group rt_sigreturn"},
    {"look at files",
     "openat openat2 newfstatat fstat statx getdents64 access faccessat faccessat2 readlinkat "
     "lseek pread64 inotify_init1 inotify_add_watch fchdir fcntl",
     Helper::broker},
    {"let go of the watch without waiting for the kernel", "socketpair", Helper::broker},
    {"take shorter turns when the first look is done",
     "sched_getattr (of its own), sched_setattr (of its own)", Helper::broker},
    {"move and copy what was planted",
     "renameat renameat2 unlinkat mkdirat symlinkat linkat chmod fchmod fchmodat fchmodat2 fchown "
     "fchownat "
     "utimensat ftruncate fallocate pwrite64 "
     "copy_file_range sendfile flock fsync fdatasync getrandom getuid geteuid umask",
     Helper::broker},
    {"look at files, and keep copies of them",
     "openat openat2 newfstatat fstat readlinkat getdents64 lseek flistxattr fgetxattr ftruncate "
     "renameat linkat unlinkat mkdirat flock fcntl faccessat faccessat2 access getpid getrandom "
     "chmod renameat2 ioctl (FICLONE)",
     Helper::keeper},
    {"open files that their owner has closed to himself",
     "openat fstat newfstatat flistxattr fgetxattr", Helper::opener},
    {"take connections, and know where they were meant to go",
     "accept4 getsockopt setsockopt (TCP_NODELAY, SO_LINGER, SO_RCVLOWAT)", Helper::network_relay},
    {"move bytes without copying them", "splice pipe2 fcntl (F_SETPIPE_SZ, F_GETPIPE_SZ)",
     Helper::network_relay},
    {"wait for many", "epoll_create1 epoll_ctl epoll_wait", Helper::network_relay},
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
    SYS_geteuid,       SYS_umask,      SYS_fallocate,       SYS_socketpair,
    SYS_fchdir,        SYS_flock};

constexpr int kKeepersNumbers[] = {
    SYS_openat,   SYS_openat2,    SYS_newfstatat, SYS_fstat,     SYS_readlinkat, SYS_getdents64,
    SYS_lseek,    SYS_flistxattr, SYS_fgetxattr,  SYS_ftruncate, SYS_renameat,   SYS_linkat,
    SYS_unlinkat, SYS_mkdirat,    SYS_flock,      SYS_fcntl,     SYS_faccessat,  SYS_faccessat2,
    SYS_access,   SYS_getpid,     SYS_getrandom,  SYS_chmod,     SYS_renameat2};

constexpr int kOpenersNumbers[] = {SYS_openat, SYS_fstat, SYS_newfstatat, SYS_flistxattr,
                                   SYS_fgetxattr};

constexpr int kNetworkRelaysNumbers[] = {
    SYS_accept4,       SYS_getsockopt, SYS_splice,     SYS_pipe2,
    SYS_epoll_create1, SYS_epoll_ctl,  SYS_epoll_wait,
};

// Memory that can be executed would be a way to new code.
constexpr uint32_t kExecutable = 0x4;  // PROT_EXEC

constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
constexpr size_t kNumber = offsetof(seccomp_data, nr);

std::vector<int> allowed_numbers(Helper who) {
  std::vector<int> numbers(std::begin(kAllowedNumbers), std::end(kAllowedNumbers));
  std::span<const int> own;
  if (who == Helper::broker) own = kBrokersNumbers;
  if (who == Helper::network_relay) own = kNetworkRelaysNumbers;
  if (who == Helper::keeper) own = kKeepersNumbers;
  if (who == Helper::opener) own = kOpenersNumbers;
  numbers.insert(numbers.end(), own.begin(), own.end());
  return numbers;
}

// One call, allowed only if its second argument is among these.
void allow_if_second_is(std::vector<sock_filter>& code, int number,
                        std::initializer_list<uint32_t> values) {
  auto count = static_cast<uint8_t>(values.size());
  code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, static_cast<uint8_t>(count + 3)));
  code.push_back(load(argument(1)));
  uint8_t left = count;
  for (uint32_t value : values)
    code.push_back(jump(BPF_JEQ, value, left--, 0));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
}

// Calls whose first argument names a process, by 0 the one that calls.
void allow_for_itself(std::vector<sock_filter>& code, uint32_t number) {
  code.push_back(jump(BPF_JEQ, number, 0, 4));
  code.push_back(load(argument(0)));
  code.push_back(jump(BPF_JEQ, 0, 1, 0));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
}

// One option of sockets: others bind them to an interface, or give them programs and protocols.
void allow_option(std::vector<sock_filter>& code, uint32_t level, uint32_t option) {
  code.push_back(jump(BPF_JEQ, SYS_setsockopt, 0, 6));
  code.push_back(load(argument(1)));
  code.push_back(jump(BPF_JEQ, level, 0, 3));
  code.push_back(load(argument(2)));
  code.push_back(jump(BPF_JEQ, option, 0, 1));
  code.push_back(give(SECCOMP_RET_ALLOW));
  code.push_back(load(kNumber));
}

std::vector<sock_filter> helper_filter(Helper who) {
  std::vector<sock_filter> code = {load(offsetof(seccomp_data, arch)),
                                   jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
                                   give(SECCOMP_RET_KILL_PROCESS), load(kNumber)};
  code.push_back(jump(BPF_JEQ, SYS_mmap, 0, 4));
  code.push_back(load(argument(2)));
  code.push_back(jump(BPF_JSET, kExecutable, 0, 1));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
  if (who == Helper::network_relay) {
    allow_if_second_is(code, SYS_fcntl, {F_SETPIPE_SZ, F_GETPIPE_SZ});
    allow_option(code, SOL_SOCKET, SO_LINGER);
    allow_option(code, SOL_SOCKET, SO_RCVLOWAT);
    allow_option(code, IPPROTO_TCP, TCP_NODELAY);
  } else if (who == Helper::keeper) {
    allow_if_second_is(code, SYS_ioctl, {static_cast<uint32_t>(FICLONE)});
  } else {
    allow_if_second_is(code, SYS_ioctl, {TIOCSWINSZ});
  }
  if (who == Helper::broker) {
    allow_for_itself(code, SYS_sched_getattr);
    allow_for_itself(code, SYS_sched_setattr);
  }
  calls::allow_numbers(code, allowed_numbers(who), kRefuse);
  return code;
}

Status filter_calls(Helper who) {
  std::vector<sock_filter> code = helper_filter(who);
  return calls::install_filter(code, "a helper's system-call filter");
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

Status leave_root() {
  if (getuid() != 0) return {};
  if (setgroups(0, nullptr) < 0 || setresgid(kRootsGuestId, kRootsGuestId, kRootsGuestId) < 0 ||
      setresuid(kRootsGuestId, kRootsGuestId, kRootsGuestId) < 0) {
    return fail_errno("cannot leave root's identity");
  }
  return {};
}

Status forbid_gaining() { return keep_rights(0); }

Status keep_rights(uint32_t capabilities) {
  // An ordinary caller may not touch the other sets, and without these two they give nothing.
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct rights[2] = {};
  rights[0].permitted = rights[0].effective = capabilities;
  if (syscall(SYS_capset, &header, rights) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
      prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0)
    return fail_errno("cannot give up a helper's privileges");
  return {};
}

namespace {

// As far as Landlock lets them, root's keeper reads what belongs to others, and root's broker takes
// away what is planted where others own the workspace, and leaves owners as they are. The opener
// reads in a namespace where it owns what is the person's.
uint32_t rights_of(Helper who, bool has_landlock) {
  bool is_root = getuid() == 0;
  if (who == Helper::broker && is_root && has_landlock)
    return 1u << CAP_CHOWN | 1u << CAP_DAC_OVERRIDE | 1u << CAP_FOWNER;
  bool reads = who == Helper::opener || (who == Helper::keeper && is_root);
  return reads ? 1u << CAP_DAC_READ_SEARCH : 0;
}

std::vector<LandlockRule> rules_of(const HelperRoom& room, int abi) {
  std::vector<LandlockRule> rules = rules_for_change(room.folders, abi);
  for (LandlockRule& rule : rules_for_looking(room.looked_at, abi))
    rules.push_back(std::move(rule));
  return rules;
}

}  // namespace

Status enter_helper_walls(const HelperRoom& room, pid_t parent, int landlock_abi) {
  TRY(die_with(parent));
  TRY(close_all_but(room.kept));
  // The files that these work on are root's own, then.
  bool works_on_files =
      room.who == Helper::broker || room.who == Helper::keeper || room.who == Helper::opener;
  if (!is_taken_away(Wall::helper_walls) && !works_on_files) TRY(leave_root());
  if (room.who == Helper::opener && !enter_own_namespace())
    return fail_errno("cannot enter a user namespace");
  // A change of id clears it.
  TRY(die_with(parent));
  bool second_wall = landlock_abi >= kLeastLandlockAbi && !is_taken_away(Wall::landlock);
  TRY(keep_rights(rights_of(room.who, second_wall)));
  if (second_wall) TRY(apply_landlock(rules_of(room, landlock_abi), landlock_abi));
  if (!is_taken_away(Wall::helper_walls)) TRY(filter_calls(room.who));
  return {};
}

std::vector<TriedAct> try_forbidden_acts() {
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
