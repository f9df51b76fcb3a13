#include "sandbox/pins.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "sandbox/filesystems.h"

namespace ringwall::sandbox {
namespace {

// A mount point cannot be renamed or removed, but a folder that is one answers EXDEV to every
// rename and link across it. So the folder is made a mount point in a second copy of its tree: the
// kernel then refuses to rename it in the first one too, where it stays an ordinary folder.
Status pin_in(const std::string& copy, const Mount& mount, int behind, int mask) {
  std::string place = copy + mount.target.substr(mount.source.size());
  TRY_ASSIGN(Fd point, file::open_beneath(behind, place, O_PATH | O_NOFOLLOW));
  struct stat facts;
  if (fstat(point.get(), &facts) < 0) return fail_errno("cannot look at what is pinned");
  bool is_folder = S_ISDIR(facts.st_mode);
  TRY_ASSIGN(Fd cover, is_folder ? clone_of(point.get()) : clone_mask(mask));
  return move_over(cover.get(), point.get());
}

}  // namespace

std::map<std::string, std::string> copies_to_pin_in(const std::vector<Mount>& mounts) {
  std::map<std::string, std::string> copies;
  for (const Mount& mount : mounts) {
    if (mount.kind == Mount::Kind::pin) copies.emplace(mount.source, std::to_string(copies.size()));
  }
  return copies;
}

Status put_pins(const std::vector<Mount>& mounts, int root, int behind, int mask) {
  std::map<std::string, std::string> copies = copies_to_pin_in(mounts);
  for (const auto& [source, copy] : copies) {
    Fd tree(sys::open_tree(root, source.substr(1).c_str(),
                           OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
    if (!tree || mkdirat(behind, copy.c_str(), 0755) < 0 ||
        sys::move_mount(tree.get(), "", behind, copy.c_str(), MOVE_MOUNT_F_EMPTY_PATH) < 0)
      return fail_errno("cannot clone the tree to pin in");
  }
  for (const Mount& mount : mounts) {
    if (mount.kind != Mount::Kind::pin) continue;
    Status pinned = pin_in(copies[mount.source], mount, behind, mask);
    if (!pinned) pinned.error().what += " (for " + text::quote(mount.target) + ")";
    TRY(pinned);
  }
  return {};
}

Result<Fd> clone_mask(int mask) {
  TRY_ASSIGN(Fd tree, clone_of(mask));
  TRY(set_attributes(tree.get(),
                     MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC));
  return tree;
}

}  // namespace ringwall::sandbox
