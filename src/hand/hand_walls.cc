#include "hand/hand_walls.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/syscalls.h"
#include "calls/allowed_numbers.h"
#include "calls/filter_words.h"
#include "calls/install_filter.h"
#include "sandbox/id_map.h"
#include "sandbox/wall.h"

namespace ringwall::hand {
namespace {

using namespace calls::filter_words;

constexpr sandbox::HelperCalls kCalls[] = {
    {"talk to the supervisor and the broker", "recvmsg sendmsg close"},
    {"wait", "poll ppoll restart_syscall"},
    {"take and answer caught renames", "ioctl (SECCOMP_IOCTL_NOTIF_*)"},
    {"copy their arguments", "process_vm_readv"},
    {"look at what they name, and take a used lock away",
     "openat2 fstat newfstatat statx fstatfs unlinkat"},
    {"renew mounts", "open_tree mount_setattr move_mount"},
    {"where a caller's folder and program are, in a run that learns", "readlinkat"},
    {"memory of its own", "brk mmap munmap mremap madvise futex"},
    {"end", "exit exit_group rt_sigreturn"},
};

constexpr int kAllowedNumbers[] = {SYS_ioctl,
                                   SYS_process_vm_readv,
                                   SYS_poll,
                                   SYS_ppoll,
                                   SYS_restart_syscall,
                                   SYS_recvmsg,
                                   SYS_sendmsg,
                                   SYS_close,
                                   SYS_openat2,
                                   SYS_fstat,
                                   SYS_newfstatat,
                                   SYS_statx,
                                   SYS_fstatfs,
                                   SYS_unlinkat,
                                   SYS_open_tree,
                                   SYS_move_mount,
                                   SYS_mount_setattr,
                                   SYS_brk,
                                   SYS_mmap,
                                   SYS_munmap,
                                   SYS_mremap,
                                   SYS_madvise,
                                   SYS_futex,
                                   SYS_exit,
                                   SYS_exit_group,
                                   SYS_rt_sigreturn};

constexpr uint32_t kExecutable = 0x4;    // PROT_EXEC
constexpr uint32_t kSeccompIoctl = '!';  // SECCOMP_IOC_MAGIC, in the second byte of the request

std::vector<sock_filter> hand_filter(bool learns) {
  constexpr uint32_t kRefuse = SECCOMP_RET_ERRNO | EPERM;
  std::vector<sock_filter> code = {
      load(offsetof(seccomp_data, arch)), jump(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
      give(SECCOMP_RET_KILL_PROCESS), load(offsetof(seccomp_data, nr))};
  code.push_back(jump(BPF_JEQ, SYS_mmap, 0, 4));
  code.push_back(load(argument(2)));
  code.push_back(jump(BPF_JSET, kExecutable, 0, 1));
  code.push_back(give(kRefuse));
  code.push_back(give(SECCOMP_RET_ALLOW));
  code.push_back(jump(BPF_JEQ, SYS_ioctl, 0, 5));
  code.push_back(load(argument(1)));
  code.push_back(statement(BPF_ALU | BPF_AND | BPF_K, 0xff00));
  code.push_back(jump(BPF_JEQ, kSeccompIoctl << 8, 0, 1));
  code.push_back(give(SECCOMP_RET_ALLOW));
  code.push_back(give(kRefuse));
  std::vector<int> numbers(std::begin(kAllowedNumbers), std::end(kAllowedNumbers));
  // These two were judged above.
  std::erase_if(numbers, [](int number) { return number == SYS_mmap || number == SYS_ioctl; });
  if (learns) numbers.push_back(SYS_readlinkat);
  calls::allow_numbers(code, std::move(numbers), kRefuse);
  return code;
}

// Mounting, and reading the memory of processes that others may not.
constexpr uint32_t kHandsRights = (1u << CAP_SYS_ADMIN) | (1u << CAP_SYS_PTRACE);

int error_of(long result) {
  int err = errno;
  if (result >= 0) close(static_cast<int>(result));
  return result < 0 ? err : 0;
}

int error_of_link(int folder, const std::string& link) {
  char target[8];
  return readlinkat(folder, link.c_str(), target, sizeof target) < 0 ? errno : 0;
}

int try_to_read_memory(pid_t pid, const void* address) {
  char byte;
  iovec ours{&byte, 1}, theirs{const_cast<void*>(address), 1};
  return process_vm_readv(pid, &ours, 1, &theirs, 1, 0) < 0 ? errno : 0;
}

}  // namespace

std::span<const sandbox::HelperCalls> hand_calls() { return kCalls; }

// The supervisor made these namespaces, or is root: it may enter them, and has every right there.
Status join_users(int user_namespace, const sandbox::Identity& identity) {
  if (identity.caller_is_root && setgroups(0, nullptr) < 0)
    return fail_errno("cannot drop root's groups");
  if (setns(user_namespace, CLONE_NEWUSER) < 0)
    return fail_errno("cannot join the sandbox's user namespace");
  close(user_namespace);
  return {};
}

Status join_mounts(int mount_namespace, const sandbox::Identity& identity) {
  // Also makes the sandbox's root ours.
  if (setns(mount_namespace, CLONE_NEWNS) < 0)
    return fail_errno("cannot join the sandbox's mount namespace");
  close(mount_namespace);
  if (!identity.caller_is_root) return {};
  gid_t gid = identity.gid;
  uid_t uid = identity.uid;
  if (setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0)
    return fail_errno("cannot become the agent's id");
  return {};
}

Status join_sandbox(int user_namespace, int mount_namespace, const sandbox::Identity& identity) {
  TRY(join_users(user_namespace, identity));
  return join_mounts(mount_namespace, identity);
}

Status enter_hand_walls(const HandRoom& room, pid_t parent) {
  TRY(sandbox::die_with(parent));
  std::vector<int> kept = room.kept;
  kept.push_back(room.user_namespace);
  kept.push_back(room.mount_namespace);
  TRY(sandbox::close_all_but(std::move(kept)));
  TRY(join_sandbox(room.user_namespace, room.mount_namespace, room.identity));
  TRY(sandbox::keep_rights(kHandsRights));
  // A change of rights clears it.
  TRY(sandbox::die_with(parent));
  if (sandbox::is_taken_away(sandbox::Wall::helper_walls)) return {};
  std::vector<sock_filter> code = hand_filter(room.learns);
  return calls::install_filter(code, "the hand's system-call filter");
}

std::vector<TriedAct> try_acts_forbidden_to_hand(int processes, pid_t parent) {
  char* const nothing[] = {nullptr};
  std::string supervisor = std::to_string(parent);
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  return {
      {"open the supervisor's root",
       error_of(sys::openat2(processes, (supervisor + "/root").c_str(), how))},
      {"see where the supervisor works", error_of_link(processes, supervisor + "/cwd")},
      {"open the supervisor's memory",
       error_of(
           sys::openat2(processes, (supervisor + "/mem").c_str(), open_how{O_RDONLY | O_CLOEXEC}))},
      {"read the supervisor's memory", try_to_read_memory(parent, &kCalls)},
      {"make a file", error_of(syscall(SYS_openat, AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600))},
      {"make a socket", error_of(syscall(SYS_socket, AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))},
      {"start a program", error_of(syscall(SYS_execve, "/nonexistent", nothing, nothing))},
      {"make a process", error_of(syscall(SYS_clone, 0, 0, 0, 0, 0))},
      {"signal its parent", error_of(syscall(SYS_kill, parent, 0))},
  };
}

}  // namespace ringwall::hand
