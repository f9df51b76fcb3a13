// P04 and P05: calls that only the kernel's dangerous corners need, and new namespaces.
//
// Each call is made with arguments that the kernel refuses as nonsense before it does anything:
// EFAULT, EINVAL or EBADF mean that the call reached the kernel, EPERM and ENOSYS that the wall
// stopped it. Where the kernel looks for a capability first, the two cannot be told apart; those
// calls are tried all the same, for callers that have capabilities.
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/keyctl.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/personality.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "base/syscalls.h"
#include "probes/probe.h"

namespace ringwall::probes {
namespace {

constexpr long kNowhere = 16;          // an address that is never mapped
constexpr long kNoFlags = 0x40000000;  // a flag that no call knows
constexpr long kTooMuch = 1 << 20;

struct Call {
  const char* name;
  long number;
  long arguments[5];
};

constexpr Call kCalls[] = {
    {"io_uring_setup", SYS_io_uring_setup, {1, kNowhere}},
    {"io_uring_enter", SYS_io_uring_enter, {-1, 0, 0, kNoFlags}},
    {"io_uring_register", SYS_io_uring_register, {-1, 0, 0, 0}},
    {"bpf", SYS_bpf, {BPF_MAP_LOOKUP_ELEM, kNowhere, kTooMuch}},
    {"mount", SYS_mount, {kNowhere, kNowhere, kNowhere, 0, 0}},
    {"umount2", SYS_umount2, {kNowhere, kNoFlags}},
    {"open_tree", SYS_open_tree, {-1, kNowhere, kNoFlags}},
    {"move_mount", SYS_move_mount, {-1, kNowhere, -1, kNowhere, kNoFlags}},
    {"fsopen", SYS_fsopen, {kNowhere, kNoFlags}},
    {"fsconfig", SYS_fsconfig, {-1, 0, 0, 0, 0}},
    {"fsmount", SYS_fsmount, {-1, kNoFlags, 0}},
    {"fspick", SYS_fspick, {-1, kNowhere, kNoFlags}},
    {"mount_setattr", SYS_mount_setattr, {-1, kNowhere, kNoFlags, kNowhere, 32}},
    {"pivot_root", SYS_pivot_root, {kNowhere, kNowhere}},
    {"chroot", SYS_chroot, {kNowhere}},
    {"setns", SYS_setns, {-1, 0}},
    {"keyctl", SYS_keyctl, {KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0}},
    {"add_key", SYS_add_key, {kNowhere, kNowhere, 0, 0, KEY_SPEC_PROCESS_KEYRING}},
    {"request_key", SYS_request_key, {kNowhere, kNowhere, 0, 0}},
    {"perf_event_open", SYS_perf_event_open, {kNowhere, 0, -1, -1, kNoFlags}},
    {"userfaultfd", SYS_userfaultfd, {1 | 0x40}},  // 1: user mode only, which needs no right
    {"kexec_load", SYS_kexec_load, {0, kTooMuch, kNowhere, -1}},
    {"kexec_file_load", SYS_kexec_file_load, {-1, -1, 0, 0, -1}},
    {"init_module", SYS_init_module, {kNowhere, 0, kNowhere}},
    {"finit_module", SYS_finit_module, {-1, kNowhere, kNoFlags}},
    {"delete_module", SYS_delete_module, {kNowhere, 0}},
    {"open_by_handle_at", SYS_open_by_handle_at, {-1, kNowhere, 0}},
    {"process_madvise", SYS_process_madvise, {-1, kNowhere, 0, 0, kNoFlags}},
    {"pidfd_getfd", SYS_pidfd_getfd, {-1, 0, kNoFlags}},
    {"fanotify_init", SYS_fanotify_init, {0x200 | kNoFlags, 0}},
    {"quotactl", SYS_quotactl, {0xff, kNowhere, 0, 0}},
    {"swapon", SYS_swapon, {kNowhere, kNoFlags}},
    {"swapoff", SYS_swapoff, {kNowhere}},
    {"reboot", SYS_reboot, {0, 0, 0, 0}},  // not the magic numbers
    {"acct", SYS_acct, {kNowhere}},
    {"settimeofday", SYS_settimeofday, {kNowhere, 0}},
    {"clock_settime", SYS_clock_settime, {0, kNowhere}},
    {"iopl", SYS_iopl, {100}},
    {"ioperm", SYS_ioperm, {kTooMuch, 1, 1}},
    {"ioctl TIOCSTI", SYS_ioctl, {-1, TIOCSTI, kNowhere}},
    {"ioctl TIOCLINUX", SYS_ioctl, {-1, TIOCLINUX, kNowhere}},
    // The kernel looks at the low half of the request alone; a filter that compares all of it is
    // passed by (CVE-2019-7303).
    {"ioctl TIOCSTI with high bits", SYS_ioctl, {-1, TIOCSTI | (1L << 32), kNowhere}},
    {"ioctl TIOCLINUX with high bits", SYS_ioctl, {-1, TIOCLINUX | (1L << 32), kNowhere}},
};

// The kernel's own lack of a call is as good as the wall.
bool is_stopped(int err) { return err == EPERM || err == ENOSYS || err == EACCES; }

int make_call(const Call& call) {
  const long* a = call.arguments;
  if (syscall(call.number, a[0], a[1], a[2], a[3], a[4], 0) >= 0) return 0;
  return is_stopped(errno) ? errno : 0;
}

int allow_execution_of_all_memory() { return personality(READ_IMPLIES_EXEC) == -1 ? errno : 0; }

// getpid by the 32-bit door, where numbers mean other calls.
int enter_as_32_bit() {
  signal(SIGSEGV, SIG_DFL);
  int result = 20;
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  return result > 0 ? 0 : -result;
}

int enter_as_x32() {
  constexpr long kX32 = 0x40000000;
  return syscall(kX32 | SYS_getpid) > 0 ? 0 : errno;
}

struct Entry {
  const char* name;
  int (*enter)();
};

constexpr Entry kEntries[] = {{"32-bit entry", enter_as_32_bit}, {"x32 entry", enter_as_x32}};

struct Type {
  const char* name;
  uint64_t flag;
};

constexpr Type kTypes[] = {
    {"user", CLONE_NEWUSER},     {"mount", CLONE_NEWNS},  {"pid", CLONE_NEWPID},
    {"network", CLONE_NEWNET},   {"ipc", CLONE_NEWIPC},   {"uts", CLONE_NEWUTS},
    {"cgroup", CLONE_NEWCGROUP}, {"time", CLONE_NEWTIME},
};

int reap(long child) {
  if (child < 0) return errno;
  if (child == 0) _exit(0);
  waitpid(static_cast<pid_t>(child), nullptr, 0);
  return 0;
}

int try_clone(uint64_t flags) {
  return reap(syscall(SYS_clone, flags | SIGCHLD, nullptr, nullptr, nullptr, nullptr));
}

int try_clone3(uint64_t flags) {
  clone_args arguments{};
  arguments.flags = flags;
  arguments.exit_signal = SIGCHLD;
  return reap(sys::clone3(&arguments));
}

}  // namespace

Verdict probe_system_calls(const Outside&) {
  Acts acts;
  for (const Call& call : kCalls) {
    int met = in_child([&] { return make_call(call); });
    if (met > 128)
      acts.stopped(call.name, "killed");
    else
      acts.tried(call.name, met);
  }
  acts.tried("personality READ_IMPLIES_EXEC", in_child(allow_execution_of_all_memory));
  for (const Entry& entry : kEntries) {
    int met = in_child(entry.enter);
    if (met > 128)
      acts.stopped(entry.name, "killed");
    else
      acts.tried(entry.name, met);
  }
  return acts.verdict();
}

Verdict probe_namespaces(const Outside&) {
  Acts acts;
  for (const Type& type : kTypes) {
    for (uint64_t with : {uint64_t{0}, uint64_t{CLONE_NEWUSER}}) {
      if ((type.flag | with) == with && with != 0) continue;
      std::string name = (with != 0 ? "user and " : "") + std::string(type.name);
      uint64_t flags = type.flag | with;
      acts.tried("unshare " + name,
                 in_child([&] { return unshare(static_cast<int>(flags)) == 0 ? 0 : errno; }));
      acts.tried("clone3 " + name, in_child([&] { return try_clone3(flags); }));
      if ((type.flag & CSIGNAL) != 0) continue;  // clone takes those bits for a signal
      acts.tried("clone " + name, in_child([&] { return try_clone(flags); }));
    }
  }
  return acts.verdict();
}

}  // namespace ringwall::probes
