// P35. Each system call that a wall is made of is made to fail, by a filter around Ringwall itself,
// and each kind of namespace is forbidden by its limit. Every time the run must end with status
// 125 and the name of a wall, and the command must not have run.
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <cstddef>
#include <optional>

#include "base/file.h"
#include "base/path.h"
#include "base/text.h"
#include "sandbox/wall.h"
#include "verify/checks.h"
#include "verify/own_run.h"

namespace ringwall::verify {
namespace {

constexpr int kRefusedStatus = 125;
constexpr unsigned kAnyArgument = ~0u;

enum class When { always, root_alone, with_landlock, at_terminal, with_grant, with_exec_stop };

struct ForbiddenCall {
  const char* name;
  unsigned number;
  unsigned argument = kAnyArgument;  // which argument is compared
  unsigned value = 0;
  When when = When::always;
};

constexpr ForbiddenCall kCalls[] = {
    {"clone3", SYS_clone3},
    {"keyctl", SYS_keyctl},
    {"sethostname", SYS_sethostname},
    {"SIOCSIFFLAGS", SYS_ioctl, 1, 0x8914},
    {"mount_setattr", SYS_mount_setattr},
    {"fsopen", SYS_fsopen},
    {"fsconfig", SYS_fsconfig},
    {"fsmount", SYS_fsmount},
    {"open_tree", SYS_open_tree},
    {"move_mount", SYS_move_mount},
    {"pivot_root", SYS_pivot_root},
    {"umount2", SYS_umount2},
    {"setgroups", SYS_setgroups, kAnyArgument, 0, When::root_alone},
    {"setresgid", SYS_setresgid, kAnyArgument, 0, When::root_alone},
    {"setresuid", SYS_setresuid, kAnyArgument, 0, When::root_alone},
    {"RLIMIT_CORE", SYS_prlimit64, 1, RLIMIT_CORE},
    {"RLIMIT_NPROC", SYS_prlimit64, 1, RLIMIT_NPROC},
    {"RLIMIT_NOFILE", SYS_prlimit64, 1, RLIMIT_NOFILE},
    {"capset", SYS_capset},
    {"PR_CAPBSET_DROP", SYS_prctl, 0, PR_CAPBSET_DROP},
    {"PR_CAP_AMBIENT", SYS_prctl, 0, PR_CAP_AMBIENT},
    {"PR_SET_SECUREBITS", SYS_prctl, 0, PR_SET_SECUREBITS},
    {"PR_SET_PDEATHSIG", SYS_prctl, 0, PR_SET_PDEATHSIG},
    {"PR_SET_DUMPABLE", SYS_prctl, 0, PR_SET_DUMPABLE},
    {"PR_SET_NO_NEW_PRIVS", SYS_prctl, 0, PR_SET_NO_NEW_PRIVS},
    {"landlock_restrict_self", 446, kAnyArgument, 0, When::with_landlock},
    {"seccomp", SYS_seccomp},
    {"close_range", SYS_close_range},
    // The record's two files as they are made, and the first words about them.
    {"the record's head", SYS_openat, 2, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC},
    {"the record's lines", SYS_openat, 2,
     O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC},
    {"pwrite64", SYS_pwrite64},
    // A run that something is granted to has one more.
    {"NETLINK_NETFILTER", SYS_socket, 2, NETLINK_NETFILTER, When::with_grant},
    // So has one that judges programs when they are executed.
    {"ptrace", SYS_ptrace, kAnyArgument, 0, When::with_exec_stop},
    // With a terminal there are two walls more, and they are not built by pid 1 alone.
    {"TIOCGPTPEER", SYS_ioctl, 1, TIOCGPTPEER, When::at_terminal},
    {"TIOCSCTTY", SYS_ioctl, 1, TIOCSCTTY, When::at_terminal},
    {"seccomp at a terminal", SYS_seccomp, kAnyArgument, 0, When::at_terminal},
    {"PR_SET_DUMPABLE at a terminal", SYS_prctl, 0, PR_SET_DUMPABLE, When::at_terminal},
};

constexpr const char* kNamespaceLimits[] = {
    "max_user_namespaces", "max_mnt_namespaces", "max_pid_namespaces",    "max_net_namespaces",
    "max_ipc_namespaces",  "max_uts_namespaces", "max_cgroup_namespaces",
};

sock_filter statement(unsigned code, unsigned value) {
  return {static_cast<unsigned short>(code), 0, 0, value};
}

// Goes on with the next statement if equal, else skips `otherwise`.
sock_filter unless_equal(unsigned value, unsigned char otherwise) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, otherwise, value};
}

unsigned offset_of_argument(unsigned argument) {
  return static_cast<unsigned>(offsetof(seccomp_data, args) + argument * sizeof(uint64_t));
}

// From here on the call fails with EPERM, in every program that this process becomes.
bool forbid(const ForbiddenCall& call) {
  std::vector<sock_filter> program = {
      statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  if (call.argument == kAnyArgument) {
    program.push_back(unless_equal(call.number, 1));
  } else {
    program.push_back(unless_equal(call.number, 3));
    program.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offset_of_argument(call.argument)));
    program.push_back(unless_equal(call.value, 1));
  }
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  program.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0;
}

// In a user namespace of the same ids, where limits are ours to set.
bool forbid_namespace(const char* limit) {
  std::string uid = std::to_string(getuid()), gid = std::to_string(getgid());
  return unshare(CLONE_NEWUSER) == 0 && file::write_existing("/proc/self/setgroups", "deny") &&
         file::write_existing("/proc/self/uid_map", uid + " " + uid + " 1") &&
         file::write_existing("/proc/self/gid_map", gid + " " + gid + " 1") &&
         file::write_existing(std::string("/proc/sys/user/") + limit, "0");
}

// True if one of the messages is a refusal that names a wall of ours.
bool names_a_wall(std::string_view messages) {
  for (const std::string& line : text::split(messages, '\n')) {
    boost::system::error_code error;
    boost::json::value value = boost::json::parse(line, error);
    if (error || !value.is_object()) {
      // Before the command line is read, in plain words.
      if (line.find("cannot close inherited descriptors") != std::string::npos) return true;
      continue;
    }
    const boost::json::value* wall = value.get_object().if_contains("wall");
    if (wall != nullptr && wall->is_string() &&
        sandbox::wall_by_name(std::string_view(wall->get_string())))
      return true;
  }
  return false;
}

// Null: refused as it should be.
Result<std::optional<Verdict>> attempt(const CheckInputs& inputs, const std::string& name,
                                       const std::function<bool()>& make_impossible,
                                       When when = When::always) {
  std::string marker = path::join(inputs.folder, name);
  std::vector<std::string> arguments = {"-w", inputs.folder, "--fresh"};
  if (when == When::with_grant)
    arguments.insert(arguments.end(), {"--allow", "granted.ringwall.invalid"});
  if (when == When::with_exec_stop)
    arguments.insert(arguments.end(),
                     {"--deny-later", "--deny-program", "sha256:" + std::string(64, '0')});
  arguments.insert(arguments.end(), {"--", "/bin/touch", marker});
  TRY_ASSIGN(OwnRun run, OwnRun::start({.arguments = arguments,
                                        .at_terminal = when == When::at_terminal,
                                        .before_exec = make_impossible}));
  // One that judges programs looks at all of the host's first, if no run has done so yet.
  int patience = when == When::with_exec_stop ? kPatienceForHashes : kPatience;
  TRY_ASSIGN(int status, run.wait(seconds_from_now(patience)));
  if (file::exists(marker))
    return std::optional(Verdict{Finding::breached, "ran although " + name + " was refused"});
  if (status == kPreparationFailed)
    return std::optional(Verdict{Finding::cannot_tell, name + " could not be made impossible"});
  if (status != kRefusedStatus) {
    return std::optional(Verdict{
        Finding::breached, "status " + std::to_string(status) + " where " + name + " was refused"});
  }
  if (!names_a_wall(run.messages()))
    return std::optional(Verdict{
        Finding::breached, "no wall is named where " + name +
                               " was refused, but: " + text::quote(run.messages().substr(0, 120))});
  return std::optional<Verdict>();
}

bool applies(const ForbiddenCall& call, const CheckInputs& inputs) {
  if (call.when == When::root_alone) return inputs.caller_is_root;
  if (call.when == When::with_landlock) return inputs.landlock;
  if (call.when == When::with_grant) return inputs.redirect;
  return true;
}

}  // namespace

Result<Verdict> check_refusal(const CheckInputs& inputs) {
  TRY(file::make_dirs(inputs.folder));
  size_t refused = 0;
  for (const ForbiddenCall& call : kCalls) {
    if (!applies(call, inputs)) continue;
    TRY_ASSIGN(auto wrong, attempt(
                               inputs, call.name, [&] { return forbid(call); }, call.when));
    if (wrong) return *wrong;
    refused++;
  }
  // Root's files are mapped before the namespaces are made, which already fails in a nested one.
  for (const char* limit : kNamespaceLimits) {
    if (inputs.caller_is_root) break;
    TRY_ASSIGN(auto wrong, attempt(inputs, limit, [&] { return forbid_namespace(limit); }));
    if (wrong) return *wrong;
    refused++;
  }
  return Verdict{Finding::held, std::to_string(refused) + " ways, refused each time"};
}

}  // namespace ringwall::verify
