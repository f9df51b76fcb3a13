// The acts of trial.h: parts that no step of the start covers alone.
#include <fcntl.h>
#include <limits.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstring>

#include "base/file.h"
#include "base/syscalls.h"
#include "host/trial.h"
#include "sandbox/filesystems.h"
#include "sandbox/keyring.h"

namespace ringwall::host {

Status join_keyring() { return sandbox::leave_callers_keyring(); }

Status make_overlay() {
  sandbox::Mount scratch{
      .kind = sandbox::Mount::Kind::tmpfs, .target = "/", .bytes = 1 << 20, .inodes = 64};
  TRY_ASSIGN(Fd root, sandbox::new_tmpfs(scratch, 0));
  // Layers must be attached somewhere; this mount namespace ends with the process.
  if (sys::move_mount(root.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) < 0) {
    return fail_errno("cannot attach a tmpfs");
  }
  TRY_ASSIGN(Fd staging, file::make_dirs_at(root.get(), "staging"));
  TRY_ASSIGN(Fd lower, file::make_dirs_at(root.get(), "lower"));
  TRY(file::make_dirs_at(root.get(), "upper/upper"));
  TRY(file::make_dirs_at(root.get(), "upper/work"));
  constexpr unsigned kClone = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  Fd below(sys::open_tree(root.get(), "lower", kClone));
  Fd above(sys::open_tree(root.get(), "upper", kClone));
  if (!below || !above) return fail_errno("cannot clone the layers");
  TRY(sandbox::new_overlay(staging.get(), below.get(), above.get(), 0));
  return {};
}

Status map_ids_of_folder() {
  char folder[PATH_MAX];
  if (getcwd(folder, sizeof folder) == nullptr) return fail_errno("no working folder");
  TRY(sandbox::open_idmapped_tree(folder, callers_identity()));
  return {};
}

Status call_close_range() {
  // An empty range beyond every descriptor: only asks whether the call is there.
  if (close_range(~0u, ~0u, 0) < 0) return fail_errno("close_range");
  return {};
}

}  // namespace ringwall::host
