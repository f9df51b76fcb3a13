#include "sandbox/id_map.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <utility>

#include "base/file.h"
#include "base/syscalls.h"
#include "sandbox/subordinate_id.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

std::string one_id(unsigned inside, unsigned outside) {
  return std::to_string(inside) + " " + std::to_string(outside) + " 1";
}

// A process that only holds a new user namespace until its map is written and tried. A supervisor
// that is killed meanwhile takes it along.
class NamespaceHolder {
 public:
  static Result<NamespaceHolder> start() {
    clone_args arguments{};
    arguments.flags = CLONE_NEWUSER;
    arguments.exit_signal = SIGCHLD;
    pid_t supervisor = getpid();
    pid_t pid = sys::clone3(&arguments);
    if (pid < 0) return fail_errno("cannot make a user namespace for an id map");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
      while (getppid() == supervisor)
        pause();
      _exit(1);
    }
    return NamespaceHolder(pid);
  }
  NamespaceHolder(NamespaceHolder&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}
  NamespaceHolder& operator=(NamespaceHolder&&) = delete;
  ~NamespaceHolder() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }

 private:
  explicit NamespaceHolder(pid_t pid) : pid_(pid) {}
  pid_t pid_;
};

// In one write, the only one that the kernel takes.
Status write_uid_map(pid_t child, const Identity& identity) {
  std::string own = one_id(identity.uid, identity.uid);
  std::string file = "/proc/" + std::to_string(child) + "/uid_map";
  if (!identity.shown_as_root) return file::write_existing(file, own);
  if (!identity.caller_is_root)
    return map_subordinate_id(child, identity.uid, *identity.shown_as_root);
  return file::write_existing(file, own + "\n" + one_id(0, *identity.shown_as_root));
}

}  // namespace

Identity plan_identity(uid_t caller_uid, gid_t caller_gid, const std::string& user,
                       const std::string& group) {
  bool keeps_his_own = caller_uid != 0 || is_taken_away(Wall::own_identity);
  if (keeps_his_own) return {caller_uid, caller_gid, false, user, group};
  return {kRootsGuestId, kRootsGuestId, true, "agent", "agent"};
}

Status write_id_maps(pid_t child, const Identity& identity) {
  std::string folder = "/proc/" + std::to_string(child);
  // An ordinary caller may not map groups unless dropping them is given up first. Root keeps the
  // right, because the child must drop root's groups.
  if (!identity.caller_is_root) TRY(file::write_existing(folder + "/setgroups", "deny"));
  TRY(write_uid_map(child, identity));
  return file::write_existing(folder + "/gid_map", one_id(identity.gid, identity.gid));
}

Status take_identity(const Identity& identity) {
  if (!identity.caller_is_root) return {};
  if (setgroups(0, nullptr) < 0) return fail_errno("cannot drop root's groups");
  if (setresgid(identity.gid, identity.gid, identity.gid) < 0 ||
      setresuid(identity.uid, identity.uid, identity.uid) < 0) {
    return fail_errno("cannot become an ordinary id");
  }
  return {};
}

Result<uid_t> find_id_to_show_as_root(const Identity& identity) {
  // Root that stays root has that id itself.
  if (identity.uid == 0) return fail("uid 0 is the agent's own");
  if (is_taken_away(Wall::user_namespace)) return fail("there is no user namespace");
  Identity both = identity;
  both.shown_as_root = kRootsStandIn;
  if (!identity.caller_is_root) {
    TRY_ASSIGN(both.shown_as_root, find_subordinate_id(identity.uid));
  }
  TRY_ASSIGN(NamespaceHolder holder, NamespaceHolder::start());
  TRY(write_uid_map(holder.pid(), both));
  return *both.shown_as_root;
}

Result<Fd> user_namespace_mapping(uid_t disk_uid, gid_t disk_gid, const Identity& identity) {
  TRY_ASSIGN(NamespaceHolder holder, NamespaceHolder::start());
  std::string folder = "/proc/" + std::to_string(holder.pid());
  TRY(file::write_existing(folder + "/uid_map", one_id(disk_uid, identity.uid)));
  TRY(file::write_existing(folder + "/gid_map", one_id(disk_gid, identity.gid)));
  return file::open(folder + "/ns/user", O_RDONLY);
}

}  // namespace ringwall::sandbox
