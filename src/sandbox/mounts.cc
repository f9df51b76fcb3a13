#include "sandbox/mounts.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <map>

#include "base/file.h"
#include "base/path.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "base/tree.h"
#include "sandbox/filesystems.h"
#include "sandbox/pins.h"
#include "sandbox/wall.h"

namespace ringwall::sandbox {
namespace {

constexpr uint64_t kAlways = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

uint64_t attributes_for(Access access) {
  switch (access) {
    case Access::read:
    case Access::none:
      return is_taken_away(Wall::read_only) ? kAlways : kAlways | MOUNT_ATTR_RDONLY;
    case Access::write:
      return kAlways;
    case Access::write_data:
      return kAlways | MOUNT_ATTR_NOEXEC;
    case Access::device:
    case Access::terminals:
      return MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
    case Access::proc:
      return kAlways | MOUNT_ATTR_NOEXEC;
  }
  return kAlways | MOUNT_ATTR_RDONLY;
}

// "/a/b" as the kernel wants it below a folder's descriptor.
std::string relative(const std::string& target) { return target.substr(1); }

class Assembly {
 public:
  Assembly(Fd root, const OpenedTrees& opened) : root_(std::move(root)), opened_(opened) {}

  // What no process inside may ever name lies in the folder that /proc will cover.
  Status make_hidden_folder();

  Status place(const Mount& mount, size_t index) {
    Status done = place_kind(mount, index);
    if (!done) done.error().what += " (for " + text::quote(mount.target) + ")";
    return done;
  }

  // Pins need their trees mounted, and mounts over pins would undo them: so they come last.
  Status pin(const std::vector<Mount>& mounts) {
    return put_pins(mounts, root_.get(), behind_.get(), mask_.get());
  }
  Result<NewRoot> finish();

 private:
  Status place_kind(const Mount& mount, size_t index);
  Status place_bind(const Mount& mount, size_t index);
  Status place_overlay(const Mount& mount, size_t index);
  Status place_without(const Mount& mount, size_t index);
  Status place_file(const Mount& mount);
  Status place_symlink(const Mount& mount);
  Status place_own_folder(const Mount& mount);
  Status place_own_link(const Mount& mount);
  Status place_read_only(const Mount& mount);
  Status place_mask(const Mount& mount);
  Status place_socket(const Mount& mount);

  // Attaches `tree` at `target`; the mount point is made if it lies in one of our own folders.
  Status attach(int tree, const std::string& target, bool is_folder);
  Status attach_over(int tree, const std::string& target);

  // The folder at `path`, made if it is missing. Remembered: most targets share a few parents.
  Result<int> folder(const std::string& path, mode_t mode = 0755);

  Fd root_;
  const OpenedTrees& opened_;
  Fd mask_;
  Fd behind_;
  std::map<std::string, Fd> folders_;
  std::vector<Fd> sockets_;
  int own_links_ = 0;
};

Result<int> Assembly::folder(const std::string& path, mode_t mode) {
  if (path == "/") return root_.get();
  if (auto known = folders_.find(path); known != folders_.end()) return known->second.get();
  TRY_ASSIGN(int parent, folder(path::parent(path)));
  std::string name(path::basename(path));
  if (mkdirat(parent, name.c_str(), mode) < 0 && errno != EEXIST) {
    return fail_errno("cannot make the folder " + text::quote(path));
  }
  Fd made(openat(parent, name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!made) return fail_errno("cannot open the folder " + text::quote(path));
  return folders_.emplace(path, std::move(made)).first->second.get();
}

Status Assembly::attach(int tree, const std::string& target, bool is_folder) {
  TRY_ASSIGN(int parent, folder(path::parent(target)));
  std::string name(path::basename(target));
  int made = is_folder ? mkdirat(parent, name.c_str(), 0755)
                       : mknodat(parent, name.c_str(), S_IFREG | 0644, 0);
  if (made < 0 && errno != EEXIST) return fail_errno("cannot make a mount point");
  // The last component is not followed either if it is a symlink.
  if (sys::move_mount(tree, "", parent, name.c_str(), MOVE_MOUNT_F_EMPTY_PATH) < 0) {
    return fail_errno("cannot attach the mount");
  }
  // What was opened below is covered now.
  std::erase_if(folders_, [&](const auto& entry) { return path::is_beneath(entry.first, target); });
  return {};
}

Status Assembly::attach_over(int tree, const std::string& target) {
  TRY_ASSIGN(Fd point, file::open_beneath(root_.get(), relative(target), O_PATH | O_NOFOLLOW));
  return move_over(tree, point.get());
}

Status Assembly::place_bind(const Mount& mount, size_t index) {
  Fd own;
  int tree = index < opened_.source.size() ? opened_.source[index].get() : -1;
  if (tree < 0) {
    TRY_ASSIGN(own,
               mount.callers_own ? open_tree_without_links(mount.source) : open_tree(mount.source));
    tree = own.get();
  }
  TRY(set_attributes(tree, attributes_for(mount.access)));
  bool one_device = mount.access == Access::device && !is_taken_away(Wall::private_dev);
  if (one_device) return attach(tree, mount.target, false);
  struct stat facts;
  if (fstat(tree, &facts) < 0) return fail_errno("cannot look at the mount");
  return attach(tree, mount.target, S_ISDIR(facts.st_mode));
}

// What the supervisor opened for us, or the tree at `path`.
Result<Fd> open_layer(const std::vector<Fd>& opened, size_t index, const std::string& path) {
  if (index < opened.size() && opened[index]) return Fd(dup(opened[index].get()));
  return open_tree_without_links(path);
}

Status Assembly::place_overlay(const Mount& mount, size_t index) {
  TRY_ASSIGN(Fd lower, open_layer(opened_.source, index, mount.source));
  TRY_ASSIGN(Fd upper, open_layer(opened_.upper, index, mount.upper));
  TRY_ASSIGN(Fd staging, file::make_dirs_at(root_.get(), ".staging", 0700));
  OverlayUse use = mount.access == Access::read ? OverlayUse::looked_at
                   : mount.is_reviewed          ? OverlayUse::quick
                                                : OverlayUse::kept;
  auto overlay =
      new_overlay(staging.get(), lower.get(), upper.get(), attributes_for(mount.access), use);
  if (!overlay && mount.is_reviewed) {
    overlay.error().what = "no review can be kept above this folder: " + overlay.error().what;
    overlay.error().hint =
        "the filesystem of the folder, or that of ~/.local/state, cannot be part of an overlay (as "
        "one of a container, of the network or of FUSE); work on it without --review";
  }
  if (!overlay) return std::unexpected(overlay.error());
  TRY(attach(overlay->get(), mount.target, true));
  return tree::remove_at(root_.get(), ".staging");
}

Status Assembly::place_without(const Mount& mount, size_t index) {
  TRY_ASSIGN(Fd lower, open_layer(opened_.source, index, mount.source));
  TRY_ASSIGN(Fd staging, file::make_dirs_at(root_.get(), ".staging", 0700));
  TRY_ASSIGN(Fd view, new_folder_without(staging.get(), lower.get(), mount.names,
                                         attributes_for(mount.access)));
  TRY(attach(view.get(), mount.target, true));
  return tree::remove_at(root_.get(), ".staging");
}

Status Assembly::place_file(const Mount& mount) {
  TRY_ASSIGN(int parent, folder(path::parent(mount.target)));
  std::string name(path::basename(mount.target));
  Fd made(openat(parent, name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mount.mode));
  if (!made) return fail_errno("cannot make the file");
  TRY(file::write_all(made.get(), mount.content));
  if (!mount.roots_own) return {};
  TRY(give_to_root(made.get()));
  // Who obeys a file only because it is root's looks at every folder above it too.
  for (std::string above = path::parent(mount.target);; above = path::parent(above)) {
    TRY_ASSIGN(int at, folder(above));
    TRY(give_to_root(at));
    if (above == "/") return {};
  }
}

Status Assembly::place_symlink(const Mount& mount) {
  TRY_ASSIGN(int parent, folder(path::parent(mount.target)));
  std::string name(path::basename(mount.target));
  if (symlinkat(mount.source.c_str(), parent, name.c_str()) < 0)
    return fail_errno("cannot make the symlink");
  return {};
}

Status Assembly::place_own_folder(const Mount& mount) {
  TRY_ASSIGN(int own, folder(mount.source));
  TRY_ASSIGN(Fd tree, clone_of(own));
  return attach(tree.get(), mount.target, true);
}

// A link and not the file itself: who saves by a new file in its place does so where it leads, and
// one that does not exist can be made.
Status Assembly::place_own_link(const Mount& mount) {
  TRY(folder(path::parent(mount.source)));
  std::string name = "own-" + std::to_string(own_links_++);
  if (symlinkat(mount.source.c_str(), behind_.get(), name.c_str()) < 0)
    return fail_errno("cannot make the link");
  constexpr int kAsItIs = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW;
  Fd tree(sys::open_tree(behind_.get(), name.c_str(), kAsItIs));
  if (!tree) return fail_errno("cannot clone the link");
  TRY(set_attributes(tree.get(), kAlways | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC));
  return attach(tree.get(), mount.target, false);
}

Status Assembly::place_read_only(const Mount& mount) {
  if (is_taken_away(Wall::read_only)) return {};
  Fd tree(sys::open_tree(root_.get(), relative(mount.target).c_str(),
                         OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!tree) {
    bool optional = path::is_beneath(mount.target, "/proc");  // not every kernel has every part
    if (errno == ENOENT && optional) return {};
    return errno == ENOENT ? fail("the tree is changing while it is mounted")
                           : fail_errno("cannot clone");
  }
  uint64_t more = mount.access == Access::read ? 0 : MOUNT_ATTR_NOEXEC;
  TRY(set_attributes(tree.get(), kAlways | MOUNT_ATTR_RDONLY | more));
  return attach_over(tree.get(), mount.target);
}

Status Assembly::make_hidden_folder() {
  if (mkdirat(root_.get(), "proc", 0755) < 0) return fail_errno("cannot make a hidden folder");
  behind_ = Fd(openat(root_.get(), "proc", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!behind_) return fail_errno("cannot open the hidden folder");
  mask_ = Fd(openat(behind_.get(), "mask", O_CREAT | O_RDONLY | O_CLOEXEC, 0));
  if (!mask_) return fail_errno("cannot make a mask");
  return {};
}

Status Assembly::place_mask(const Mount& mount) {
  TRY_ASSIGN(Fd tree, clone_mask(mask_.get()));
  Status masked = attach_over(tree.get(), mount.target);
  // A file of /proc that this kernel does not have. A socket that is gone since it was found may
  // have been moved, and is no excuse.
  bool optional = mount.may_be_missing || path::is_beneath(mount.target, "/proc");
  if (!masked && masked.error().err == ENOENT && optional) return {};
  if (!masked && masked.error().err == ENOENT) {
    masked.error().what = "the tree is changing while it is mounted";
  }
  return masked;
}

Status Assembly::place_socket(const Mount& mount) {
  TRY_ASSIGN(int above, folder(path::parent(mount.target)));
  std::string name(path::basename(mount.target));
  int kind = mount.whole_messages ? SOCK_SEQPACKET : SOCK_STREAM;
  Fd socket(::socket(AF_UNIX, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  snprintf(address.sun_path, sizeof address.sun_path, "%s", name.c_str());
  // By its name alone: the way there may be longer than an address can hold.
  bool made = socket && fchdir(above) == 0 &&
              bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
              listen(socket.get(), SOMAXCONN) == 0;
  if (!made) return fail_errno("cannot make the socket " + text::quote(mount.target));
  sockets_.push_back(std::move(socket));
  return {};
}

Status Assembly::place_kind(const Mount& mount, size_t index) {
  switch (mount.kind) {
    case Mount::Kind::bind:
      return place_bind(mount, index);
    case Mount::Kind::overlay:
      return place_overlay(mount, index);
    case Mount::Kind::without:
      return place_without(mount, index);
    case Mount::Kind::tmpfs: {
      TRY_ASSIGN(Fd tree, new_tmpfs(mount, attributes_for(mount.access)));
      return attach(tree.get(), mount.target, true);
    }
    case Mount::Kind::proc: {
      // A proc can be made only for a pid namespace of one's own.
      bool the_hosts = is_taken_away(Wall::fresh_proc) || is_taken_away(Wall::pid_namespace);
      TRY_ASSIGN(Fd tree, the_hosts ? open_tree("/proc")
                                    : new_proc(attributes_for(mount.access) | MOUNT_ATTR_NOEXEC));
      return attach(tree.get(), mount.target, true);
    }
    case Mount::Kind::mqueue: {
      auto tree = new_mqueue(attributes_for(mount.access));
      if (tree) return attach(tree->get(), mount.target, true);
      // A kernel without queues has none to show.
      if (tree.error().err != ENODEV) return std::unexpected(tree.error());
      TRY(folder(mount.target));
      return {};
    }
    case Mount::Kind::devpts: {
      TRY_ASSIGN(Fd tree, new_devpts(attributes_for(mount.access)));
      return attach(tree.get(), mount.target, true);
    }
    case Mount::Kind::read_only:
      return place_read_only(mount);
    case Mount::Kind::file:
      return place_file(mount);
    case Mount::Kind::symlink:
      return place_symlink(mount);
    case Mount::Kind::own_folder:
      return place_own_folder(mount);
    case Mount::Kind::own_link:
      return place_own_link(mount);
    case Mount::Kind::folder: {
      TRY(folder(mount.target, mount.mode));
      return {};
    }
    case Mount::Kind::mask:
      return place_mask(mount);
    case Mount::Kind::socket:
      return place_socket(mount);
    case Mount::Kind::pin:
      return {};
  }
  return {};
}

Result<NewRoot> Assembly::finish() {
  TRY(set_attributes(root_.get(), attributes_for(Access::none), 0));
  return NewRoot{std::move(root_), std::move(behind_), std::move(mask_), std::move(sockets_)};
}

}  // namespace

Result<NewRoot> assemble_root(const std::vector<Mount>& mounts, const OpenedTrees& opened) {
  // Mounts made by the host from now on must not appear here, nor ours there.
  mount_attr isolate{};
  isolate.propagation = MS_PRIVATE;
  if (sys::mount_setattr(AT_FDCWD, "/", AT_RECURSIVE, &isolate) < 0) {
    return fail_errno("cannot make the mounts private");
  }
  Mount root{.kind = Mount::Kind::tmpfs, .target = "/", .bytes = 1 << 20, .inodes = 4096};
  TRY_ASSIGN(Fd tree, new_tmpfs(root, kAlways));
  if (sys::move_mount(tree.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) < 0) {
    return fail_errno("cannot attach the new root");
  }
  Assembly assembly(std::move(tree), opened);
  TRY(assembly.make_hidden_folder());
  for (size_t i = 0; i < mounts.size(); i++)
    TRY(assembly.place(mounts[i], i));
  TRY(assembly.pin(mounts));
  return assembly.finish();
}

Status enter_root(Fd root) {
  if (fchdir(root.get()) < 0 || sys::pivot_root(".", ".") < 0)
    return fail_errno("cannot enter the new root");
  // The old root now lies on top of the new one at ".".
  if (umount2(".", MNT_DETACH) < 0) return fail_errno("cannot leave the old root");
  if (chdir("/") < 0) return fail_errno("cannot enter the new root");
  return {};
}

}  // namespace ringwall::sandbox
