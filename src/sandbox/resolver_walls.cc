#include "sandbox/resolver_walls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "calls/filter_words.h"
#include "calls/install_filter.h"
#include "sandbox/helper_walls.h"
#include "sandbox/landlock.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

using namespace calls::filter_words;

// Settings, libraries and sockets of resolvers, wherever a distribution keeps them.
const std::vector<std::string> kPlaces = {"/etc",      "/usr",         "/lib",     "/lib64",
                                          "/run",      "/nix",         "/gnu",     "/var/lib/sss",
                                          "/proc/sys", "/dev/urandom", "/dev/null"};

constexpr int kRefused[] = {SYS_execve,
                            SYS_execveat,
                            SYS_ptrace,
                            SYS_process_vm_readv,
                            SYS_process_vm_writev,
                            SYS_kill,
                            SYS_tkill,
                            SYS_rt_sigqueueinfo,
                            SYS_pidfd_open,
                            SYS_pidfd_getfd,
                            SYS_pidfd_send_signal,
                            SYS_unshare,
                            SYS_setns,
                            SYS_mount,
                            SYS_umount2,
                            SYS_pivot_root,
                            SYS_chroot,
                            SYS_open_tree,
                            SYS_move_mount,
                            SYS_fsopen,
                            SYS_mount_setattr,
                            SYS_bpf,
                            SYS_perf_event_open,
                            SYS_userfaultfd,
                            SYS_io_uring_setup,
                            SYS_io_uring_enter,
                            SYS_io_uring_register,
                            SYS_keyctl,
                            SYS_add_key,
                            SYS_request_key,
                            SYS_open_by_handle_at,
                            SYS_name_to_handle_at,
                            SYS_fork,
                            SYS_vfork,
                            SYS_listen,
                            SYS_accept,
                            SYS_accept4,
                            SYS_personality,
                            SYS_memfd_create,
                            SYS_shmget,
                            SYS_unlink,
                            SYS_unlinkat,
                            SYS_rename,
                            SYS_renameat,
                            SYS_renameat2,
                            SYS_mkdir,
                            SYS_mkdirat,
                            SYS_link,
                            SYS_linkat,
                            SYS_symlink,
                            SYS_symlinkat,
                            SYS_truncate,
                            SYS_chmod,
                            SYS_fchmod,
                            SYS_fchmodat,
                            SYS_chown,
                            SYS_fchown,
                            SYS_fchownat,
                            SYS_lchown,
                            SYS_creat};

Status refuse_calls() {
  constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  std::vector<sock_filter> code = {load(offsetof(seccomp_data, arch)),
                                   jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
                                   give(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr)),
                                   // Numbers of the x32 entry.
                                   jump(BPF_JGE, 0x40000000, 0, 1), give(SECCOMP_RET_KILL_PROCESS)};
  for (int number : kRefused) {
    code.push_back(jump(BPF_JEQ, static_cast<uint32_t>(number), 0, 1));
    code.push_back(give(kRefuse));
  }
  // libc falls back to clone, whose flags can be seen: threads, and no process.
  code.push_back(jump(BPF_JEQ, SYS_clone3, 0, 1));
  code.push_back(give(SECCOMP_RET_ERRNO | ENOSYS));
  code.push_back(jump(BPF_JEQ, SYS_clone, 0, 3));
  code.push_back(load(offsetof(seccomp_data, args)));
  code.push_back(jump(BPF_JSET, CLONE_THREAD, 1, 0));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
  return calls::install_filter(code, "the resolver's system-call filter");
}

}  // namespace

Status enter_resolver_walls(const std::vector<int>& kept, pid_t parent) {
  TRY(die_with(parent));
  TRY(close_all_but(kept));
  if (!is_taken_away(Wall::helper_walls)) TRY(leave_root());
  // A change of id clears it.
  TRY(die_with(parent));
  TRY(forbid_gaining());
  int abi = probe_landlock_abi();
  if (abi >= kLeastLandlockAbi && !is_taken_away(Wall::landlock))
    TRY(apply_landlock(rules_for_looking(kPlaces, abi), abi));
  if (!is_taken_away(Wall::helper_walls)) TRY(refuse_calls());
  return {};
}

std::vector<TriedAct> try_resolver_acts() {
  // By the kernel's own calls, as whoever took the process over would make them.
  char* const nothing[] = {nullptr};
  auto error_of = [](long result) {
    int err = errno;
    if (result >= 0) close(static_cast<int>(result));
    return result < 0 ? err : 0;
  };
  long child = syscall(SYS_fork);
  if (child == 0) _exit(0);
  int forked = child < 0 ? errno : 0;
  std::vector<TriedAct> acts = {
      {"start a process", forked},
      {"start a program", error_of(syscall(SYS_execve, "/nonexistent", nothing, nothing))},
      {"signal its parent", error_of(syscall(SYS_kill, getppid(), 0))},
      {"make a user namespace", error_of(syscall(SYS_unshare, CLONE_NEWUSER))},
      {"trace its parent", error_of(syscall(SYS_ptrace, PTRACE_SEIZE, getppid(), 0, 0))},
      {"remove a file", error_of(syscall(SYS_unlink, "/nonexistent"))},
  };
  if (probe_landlock_abi() < kLeastLandlockAbi) return acts;
  acts.push_back(
      {"make a file", error_of(syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600))});
  acts.push_back(
      {"list a folder", error_of(syscall(SYS_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY))});
  return acts;
}

}  // namespace ringwall::sandbox
