#include "sandbox/id_map.h"

#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/syscalls.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

std::string one_id(unsigned inside, unsigned outside) {
  return std::to_string(inside) + " " + std::to_string(outside) + " 1";
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
  TRY(file::write_existing(folder + "/uid_map", one_id(identity.uid, identity.uid)));
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

Result<Fd> user_namespace_mapping(uid_t disk_uid, gid_t disk_gid, const Identity& identity) {
  clone_args arguments{};
  arguments.flags = CLONE_NEWUSER;
  arguments.exit_signal = SIGCHLD;
  pid_t supervisor = getpid();
  pid_t holder = sys::clone3(&arguments);
  if (holder < 0) return fail_errno("cannot make a user namespace for an id map");
  if (holder == 0) {
    // This process only holds the new user namespace until its map is written and the namespace
    // opened. A supervisor that is killed meanwhile takes it along.
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    while (getppid() == supervisor)
      pause();
    _exit(1);
  }
  std::string folder = "/proc/" + std::to_string(holder);
  Status written = file::write_existing(folder + "/uid_map", one_id(disk_uid, identity.uid));
  if (written) written = file::write_existing(folder + "/gid_map", one_id(disk_gid, identity.gid));
  auto opened = file::open(folder + "/ns/user", O_RDONLY);
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  if (!written) return std::unexpected(written.error());
  return opened;
}

}  // namespace ringwall::sandbox
