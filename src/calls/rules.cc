#include "calls/rules.h"

#include <fcntl.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>

namespace ringwall::calls {
namespace {

constexpr AllowedGroup kAllowed[] = {
    {"read and write what is open",
     "read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek close "
     "close_range "
     "dup dup2 dup3 ftruncate truncate fallocate fadvise64 readahead sync syncfs fsync "
     "fdatasync "
     "sync_file_range copy_file_range sendfile splice tee flock pipe pipe2 memfd_create"},
    {"open and look at files; the mounts and Landlock decide which",
     "stat fstat lstat newfstatat statx access faccessat faccessat2 "
     "readlink "
     "readlinkat getdents getdents64 statfs fstatfs getcwd chdir fchdir umask utime utimes "
     "utimensat "
     "futimesat getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr"},
    {"change files in the granted trees",
     "mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
     "chown fchown lchown fchownat setxattr lsetxattr fsetxattr removexattr lremovexattr "
     "fremovexattr"},
    {"memory of its own",
     "mmap munmap mprotect mremap msync madvise mincore brk mlock mlock2 mlockall munlock "
     "munlockall "
     "pkey_alloc pkey_free pkey_mprotect membarrier remap_file_pages get_mempolicy cachestat "
     "map_shadow_stack"},
    {"processes and threads inside; clone is filtered below",
     "fork vfork execve execveat exit exit_group wait4 waitid getpid getppid gettid getpgid "
     "getpgrp "
     "setpgid getsid setsid set_tid_address set_robust_list get_robust_list rseq futex futex_waitv "
     "futex_wake futex_wait futex_requeue "
     "sched_yield sched_getaffinity sched_setaffinity sched_getparam sched_setparam "
     "sched_getscheduler "
     "sched_setscheduler sched_get_priority_max sched_get_priority_min sched_rr_get_interval "
     "sched_getattr sched_setattr getpriority setpriority ioprio_get ioprio_set getcpu arch_prctl "
     "prctl "
     "pidfd_open pidfd_send_signal restart_syscall"},
    {"signals; the pid namespace bounds whom they reach",
     "kill tkill tgkill rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait "
     "rt_sigsuspend rt_sigqueueinfo rt_tgsigqueueinfo sigaltstack pause signalfd signalfd4"},
    {"debuggers and sanitizers; the pid namespace bounds whom they reach",
     "ptrace process_vm_readv process_vm_writev"},
    {"identity: without a capability these change nothing",
     "getuid geteuid getgid getegid getresuid getresgid getgroups setuid setgid setreuid setregid "
     "setresuid setresgid setgroups setfsuid setfsgid capget capset"},
    {"limits and facts", "getrlimit setrlimit prlimit64 getrusage times sysinfo uname getrandom"},
    {"time",
     "time gettimeofday clock_gettime clock_getres clock_nanosleep nanosleep alarm getitimer "
     "setitimer "
     "timer_create timer_settime timer_gettime timer_getoverrun timer_delete timerfd_create "
     "timerfd_settime timerfd_gettime"},
    {"waiting for events",
     "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_wait "
     "epoll_wait_old epoll_pwait epoll_pwait2 eventfd eventfd2 inotify_init inotify_init1 "
     "inotify_add_watch inotify_rm_watch"},
    {"sockets; families are filtered below, the network namespace bounds where they lead",
     "bind connect listen accept accept4 getsockname getpeername getsockopt setsockopt shutdown "
     "sendto "
     "recvfrom sendmsg recvmsg sendmmsg recvmmsg"},
    {"System V and POSIX IPC of its own namespace",
     "shmget shmat shmdt shmctl semget semop semtimedop semctl msgget msgsnd msgrcv msgctl mq_open "
     "mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr"},
    {"native asynchronous I/O, as databases use it",
     "io_setup io_submit io_getevents io_pgetevents io_cancel io_destroy"},
    {"a sandbox may narrow itself further",
     "seccomp landlock_create_ruleset landlock_add_rule landlock_restrict_self"},
};

constexpr RefusedCall kRefused[] = {
    {"clone3", ENOSYS,
     "its flags lie in memory where no filter can see them; libc falls back to clone"},
    {"openat2", ENOSYS, "its mode lies in memory, and may ask for a setuid file"},
    {"io_uring_setup", ENOSYS, "would make calls that the filter never sees"},
    {"io_uring_enter", ENOSYS, "as io_uring_setup"},
    {"io_uring_register", ENOSYS, "as io_uring_setup"},
    {"bpf", EPERM, "kernel programs"},
    {"perf_event_open", EPERM, "side channels, a long record of kernel holes"},
    {"userfaultfd", EPERM, "stops the kernel at chosen points; used to win races"},
    {"mount", EPERM, "would change the walls"},
    {"umount2", EPERM, "would take a wall away"},
    {"pivot_root", EPERM, "would change the walls"},
    {"chroot", EPERM, "a classic way out, needs a capability anyway"},
    {"open_tree", EPERM, "mount family"},
    {"move_mount", EPERM, "mount family"},
    {"fsopen", EPERM, "mount family"},
    {"fsconfig", EPERM, "mount family"},
    {"fsmount", EPERM, "mount family"},
    {"fspick", EPERM, "mount family"},
    {"mount_setattr", EPERM, "mount family"},
    {"setns", EPERM, "enters other namespaces"},
    {"keyctl", EPERM, "the caller's keyrings"},
    {"add_key", EPERM, "keys are counted per host user"},
    {"request_key", EPERM, "runs a helper of the host"},
    {"open_by_handle_at", EPERM, "opens files past every mount (the shocker escape)"},
    {"name_to_handle_at", EPERM, "the other half of open_by_handle_at"},
    {"kexec_load", EPERM, "replaces the kernel"},
    {"kexec_file_load", EPERM, "replaces the kernel"},
    {"init_module", EPERM, "loads kernel code"},
    {"finit_module", EPERM, "loads kernel code"},
    {"delete_module", EPERM, "unloads kernel code"},
    {"reboot", EPERM, "the host's power"},
    {"swapon", EPERM, "the host's memory"},
    {"swapoff", EPERM, "the host's memory"},
    {"acct", EPERM, "host-wide accounting"},
    {"quotactl", EPERM, "the host's quotas"},
    {"quotactl_fd", EPERM, "the host's quotas"},
    {"settimeofday", EPERM, "the host's clock"},
    {"clock_settime", EPERM, "the host's clock"},
    {"adjtimex", EPERM, "the host's clock"},
    {"clock_adjtime", EPERM, "the host's clock"},
    {"syslog", EPERM, "the kernel's messages"},
    {"iopl", EPERM, "hardware ports"},
    {"ioperm", EPERM, "hardware ports"},
    {"sethostname", EPERM, "the name is Ringwall's"},
    {"setdomainname", EPERM, "as sethostname"},
    {"vhangup", EPERM, "the terminal"},
    {"fanotify_init", EPERM, "watches whole filesystems"},
    {"fanotify_mark", EPERM, "as fanotify_init"},
    {"kcmp", EPERM, "kernel addresses of other processes' objects"},
    {"pidfd_getfd", EPERM, "takes descriptors out of other processes"},
    {"process_madvise", EPERM, "other processes' memory"},
    {"process_mrelease", EPERM, "other processes' memory"},
    {"move_pages", EPERM, "memory placement, a side channel"},
    {"migrate_pages", EPERM, "as move_pages"},
    {"mbind", EPERM, "as move_pages"},
    {"set_mempolicy", EPERM, "as move_pages"},
    {"set_mempolicy_home_node", EPERM, "as move_pages"},
    {"memfd_secret", ENOSYS, "memory that no supervisor can look at"},
    {"modify_ldt", EPERM, "segment tables, only of use to 16-bit code"},
    {"vmsplice", EPERM, "the pipe holes of Dirty Pipe's kind"},
    {"lookup_dcookie", EPERM, "profiler's names of files"},
    {"uselib", ENOSYS, "obsolete"},
    {"ustat", ENOSYS, "obsolete"},
    {"sysfs", ENOSYS, "obsolete"},
    {"_sysctl", ENOSYS, "obsolete"},
    {"nfsservctl", ENOSYS, "obsolete"},
    {"create_module", ENOSYS, "obsolete"},
    {"query_module", ENOSYS, "obsolete"},
    {"get_kernel_syms", ENOSYS, "obsolete"},
};

using Op = ArgumentTest::Op;

constexpr uint32_t kNamespaceFlags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                     CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
// In clone the low byte is the exit signal, so the time namespace's bit means something else there.
constexpr uint32_t kTimeNamespaceFlag = 0x80;

constexpr ArgumentTest kCloneNamespace[] = {{Op::has_any_bit, 0, kNamespaceFlags}};
constexpr Clause kCloneClauses[] = {{kCloneNamespace, EPERM}};

constexpr ArgumentTest kUnshareNamespace[] = {
    {Op::has_any_bit, 0, kNamespaceFlags | kTimeNamespaceFlag}};
constexpr Clause kUnshareClauses[] = {{kUnshareNamespace, EPERM}};

constexpr ArgumentTest kTypeInto[] = {{Op::equals, 1, TIOCSTI}};
constexpr ArgumentTest kConsolePaste[] = {{Op::equals, 1, TIOCLINUX}};
constexpr ArgumentTest kExclusive[] = {{Op::equals, 1, TIOCEXCL}};
constexpr ArgumentTest kLineDiscipline[] = {{Op::equals, 1, TIOCSETD}};
constexpr Clause kIoctlClauses[] = {
    {kTypeInto, EPERM}, {kConsolePaste, EPERM}, {kExclusive, EPERM}, {kLineDiscipline, EPERM}};

// A setuid file in the workspace is the caller's on the host, where nothing is mounted nosuid:
// root's, if root is the caller. The mode counts only where a file may be made.
constexpr uint32_t kSetId = S_ISUID | S_ISGID;
constexpr uint32_t kMayCreate = O_CREAT | (O_TMPFILE & ~O_DIRECTORY);
constexpr ArgumentTest kSetIdMode1[] = {{Op::has_any_bit, 1, kSetId}};
constexpr ArgumentTest kSetIdMode2[] = {{Op::has_any_bit, 2, kSetId}};
constexpr ArgumentTest kSetIdOpen[] = {{Op::has_any_bit, 1, kMayCreate},
                                       {Op::has_any_bit, 2, kSetId}};
constexpr ArgumentTest kSetIdOpenat[] = {{Op::has_any_bit, 2, kMayCreate},
                                         {Op::has_any_bit, 3, kSetId}};
constexpr Clause kMode1Clauses[] = {{kSetIdMode1, EPERM}};
constexpr Clause kMode2Clauses[] = {{kSetIdMode2, EPERM}};
constexpr Clause kOpenClauses[] = {{kSetIdOpen, EPERM}};
constexpr Clause kOpenatClauses[] = {{kSetIdOpenat, EPERM}};
constexpr std::string_view kNoSetId = "no setuid or setgid file: it would be the caller's outside";

constexpr ArgumentTest kUnix[] = {{Op::equals, 0, AF_UNIX}};
constexpr ArgumentTest kRoute[] = {{Op::equals, 0, AF_NETLINK}, {Op::equals, 2, NETLINK_ROUTE}};
// IPPROTO_IP (0) stands for the type's own protocol.
constexpr ArgumentTest kIp4[] = {{Op::equals, 0, AF_INET}, {Op::equals, 2, IPPROTO_IP}};
constexpr ArgumentTest kIp4Tcp[] = {{Op::equals, 0, AF_INET}, {Op::equals, 2, IPPROTO_TCP}};
constexpr ArgumentTest kIp4Udp[] = {{Op::equals, 0, AF_INET}, {Op::equals, 2, IPPROTO_UDP}};
constexpr ArgumentTest kIp4Ping[] = {{Op::equals, 0, AF_INET}, {Op::equals, 2, IPPROTO_ICMP}};
constexpr ArgumentTest kIp6[] = {{Op::equals, 0, AF_INET6}, {Op::equals, 2, IPPROTO_IP}};
constexpr ArgumentTest kIp6Tcp[] = {{Op::equals, 0, AF_INET6}, {Op::equals, 2, IPPROTO_TCP}};
constexpr ArgumentTest kIp6Udp[] = {{Op::equals, 0, AF_INET6}, {Op::equals, 2, IPPROTO_UDP}};
constexpr ArgumentTest kIp6Ping[] = {{Op::equals, 0, AF_INET6}, {Op::equals, 2, IPPROTO_ICMPV6}};
constexpr Clause kSocketClauses[] = {{kUnix, 0},   {kRoute, 0},   {kIp4, 0}, {kIp4Tcp, 0},
                                     {kIp4Udp, 0}, {kIp4Ping, 0}, {kIp6, 0}, {kIp6Tcp, 0},
                                     {kIp6Udp, 0}, {kIp6Ping, 0}};
constexpr Clause kSocketpairClauses[] = {{kUnix, 0}};

constexpr ArgumentTest kQuery[] = {{Op::equals, 0, 0xffffffff}};
constexpr ArgumentTest kLinux[] = {{Op::equals, 0, 0x0}};
constexpr ArgumentTest kLinux32[] = {{Op::equals, 0, 0x8}};
constexpr ArgumentTest kUname26[] = {{Op::equals, 0, 0x20000}};
constexpr ArgumentTest kUname26On32[] = {{Op::equals, 0, 0x20008}};
constexpr ArgumentTest kNoRandomize[] = {{Op::equals, 0, 0x40000}};
constexpr Clause kPersonalityClauses[] = {{kQuery, 0},   {kLinux, 0},       {kLinux32, 0},
                                          {kUname26, 0}, {kUname26On32, 0}, {kNoRandomize, 0}};

// Pages in pipes are counted for the host's user, whose own pipes shrink when too many are used.
constexpr ArgumentTest kGrowPipe[] = {{Op::equals, 1, F_SETPIPE_SZ}};
constexpr Clause kFcntlClauses[] = {{kGrowPipe, EPERM}};

constexpr FilteredCall kFiltered[] = {
    {"clone", kCloneClauses, 0, "threads and processes, but no namespace"},
    {"unshare", kUnshareClauses, 0, "of files and working folder only, no namespace"},
    {"ioctl", kIoctlClauses, 0,
     "no typing into a terminal (TIOCSTI, CVE-2017-5226; TIOCLINUX, CVE-2023-28100), no line "
     "discipline"},
    {"socket", kSocketClauses, EAFNOSUPPORT,
     "UNIX, IPv4, IPv6 and routing questions; AF_VSOCK and others leave a network namespace"},
    {"socketpair", kSocketpairClauses, EAFNOSUPPORT, "UNIX only"},
    {"fcntl", kFcntlClauses, 0,
     "no larger pipes (F_SETPIPE_SZ): their pages are counted for the host's user"},
    {"open", kOpenClauses, 0, kNoSetId},
    {"openat", kOpenatClauses, 0, kNoSetId},
    {"creat", kMode1Clauses, 0, kNoSetId},
    {"chmod", kMode1Clauses, 0, kNoSetId},
    {"fchmod", kMode1Clauses, 0, kNoSetId},
    {"fchmodat", kMode2Clauses, 0, kNoSetId},
    {"fchmodat2", kMode2Clauses, 0, kNoSetId},
    {"mknod", kMode1Clauses, 0, kNoSetId},
    {"mknodat", kMode2Clauses, 0, kNoSetId},
    {"personality", kPersonalityClauses, EPERM,
     "those that tools use; READ_IMPLIES_EXEC is not among them"},
};

}  // namespace

std::span<const AllowedGroup> allowed_groups() { return kAllowed; }
std::span<const RefusedCall> refused_calls() { return kRefused; }
std::span<const FilteredCall> filtered_calls() { return kFiltered; }

}  // namespace ringwall::calls
