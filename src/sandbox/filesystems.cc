#include "sandbox/filesystems.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <initializer_list>

#include "base/file.h"
#include "base/syscalls.h"
#include "base/text.h"
#include "sandbox/id_map.h"

namespace ringwall::sandbox {
namespace {

struct Option {
  const char* key;
  std::string value;  // empty for a flag
};

Result<Fd> new_filesystem(const char* type, std::initializer_list<Option> options,
                          uint64_t attributes) {
  Fd context(sys::fsopen(type, FSOPEN_CLOEXEC));
  if (!context) return fail_errno(std::string("cannot open the filesystem type ") + type);
  for (const Option& option : options) {
    bool flag = option.value.empty();
    if (sys::fsconfig(context.get(), flag ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING, option.key,
                      flag ? nullptr : option.value.c_str(), 0) < 0) {
      return fail_errno(std::string(type) + " does not take " + option.key);
    }
  }
  if (sys::fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) < 0) {
    return fail_errno(std::string("cannot make a ") + type);
  }
  Fd tree(sys::fsmount(context.get(), FSMOUNT_CLOEXEC, static_cast<unsigned>(attributes)));
  if (!tree) return fail_errno(std::string("cannot mount a ") + type);
  return tree;
}

std::string octal(unsigned mode) {
  char text[16];
  snprintf(text, sizeof text, "%o", mode);
  return text;
}

}  // namespace

Result<Fd> open_tree(const std::string& path) {
  Fd tree(sys::open_tree(AT_FDCWD, path.c_str(),
                         OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW));
  if (!tree) return fail_errno("cannot clone the mounts of " + text::quote(path));
  return tree;
}

Result<Fd> open_tree_without_links(const std::string& path) {
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  Fd place(sys::openat2(AT_FDCWD, path.c_str(), how));
  if (!place) return fail_errno("cannot open " + text::quote(path));
  Fd tree(sys::open_tree(place.get(), "",
                         OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE | AT_EMPTY_PATH));
  if (!tree) return fail_errno("cannot clone the mounts of " + text::quote(path));
  return tree;
}

Result<Fd> open_idmapped_tree(const std::string& path, const Identity& identity) {
  TRY_ASSIGN(Fd tree, open_tree_without_links(path));
  struct stat facts;
  if (fstat(tree.get(), &facts) < 0) return fail_errno("cannot look at " + text::quote(path));
  TRY_ASSIGN(Fd map, user_namespace_mapping(facts.st_uid, facts.st_gid, identity));
  mount_attr idmap{};
  idmap.attr_set = MOUNT_ATTR_IDMAP;
  idmap.userns_fd = static_cast<uint64_t>(map.get());
  if (sys::mount_setattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &idmap) < 0) {
    return fail_errno(
        "the filesystem of " + text::quote(path) + " cannot map ids",
        "run it as an ordinary user who owns the folder: sudo -u USER ringwall run …");
  }
  return tree;
}

Result<Fd> clone_of(int fd) {
  Fd tree(sys::open_tree(fd, "", AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC));
  if (!tree) return fail_errno("cannot clone what is mounted");
  return tree;
}

Status move_over(int tree, int point) {
  constexpr unsigned kByDescriptors = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH;
  if (sys::move_mount(tree, "", point, "", kByDescriptors) < 0)
    return fail_errno("cannot attach the mount");
  return {};
}

Status set_attributes(int tree, uint64_t attributes, unsigned recursive) {
  mount_attr wanted{};
  wanted.attr_set = attributes;
  wanted.propagation = MS_PRIVATE;
  if (sys::mount_setattr(tree, "", AT_EMPTY_PATH | recursive, &wanted) < 0) {
    return fail_errno("cannot set the mount's attributes");
  }
  return {};
}

Result<Fd> new_tmpfs(const Mount& mount, uint64_t attributes) {
  return new_filesystem("tmpfs",
                        {{"size", std::to_string(mount.bytes)},
                         {"nr_inodes", std::to_string(mount.inodes)},
                         {"mode", octal(mount.mode)}},
                        attributes);
}

Result<Fd> new_proc(uint64_t attributes) { return new_filesystem("proc", {}, attributes); }

Result<Fd> new_mqueue(uint64_t attributes) { return new_filesystem("mqueue", {}, attributes); }

Result<Fd> new_devpts(uint64_t attributes) {
  return new_filesystem(
      "devpts", {{"newinstance", ""}, {"ptmxmode", "0666"}, {"mode", "0620"}, {"max", "64"}},
      attributes);
}

namespace {

Status stage(int tree, int staging, const char* name) {
  if (mkdirat(staging, name, 0700) < 0) return fail_errno("cannot make a staging folder");
  if (sys::move_mount(tree, "", staging, name, MOVE_MOUNT_F_EMPTY_PATH) < 0)
    return fail_errno("cannot stage an overlay's layer");
  return {};
}

// A filesystem in memory whose top holds nothing but marks that say: this name is not there.
Result<Fd> new_whiteouts(const std::vector<std::string>& names, int like) {
  struct stat facts;
  if (fstat(like, &facts) < 0) return fail_errno("cannot look at the folder");
  // The top layer's folder is what the whole looks like.
  TRY_ASSIGN(Fd layer, new_filesystem("tmpfs",
                                      {{"size", "64k"},
                                       {"nr_inodes", std::to_string(names.size() + 8)},
                                       {"mode", octal(facts.st_mode & 07777)}},
                                      MOUNT_ATTR_NOSUID));
  for (const std::string& name : names) {
    if (mknodat(layer.get(), name.c_str(), S_IFCHR, 0) < 0)
      return fail_errno("cannot take " + text::quote(name) + " away");
  }
  timespec times[2] = {facts.st_atim, facts.st_mtim};
  if (utimensat(layer.get(), ".", times, 0) < 0) return fail_errno("cannot set a folder's times");
  return layer;
}

}  // namespace

Result<Fd> new_folder_without(int staging, int folder, const std::vector<std::string>& names,
                              uint64_t attributes) {
  TRY_ASSIGN(Fd whiteouts, new_whiteouts(names, folder));
  TRY(stage(whiteouts.get(), staging, "missing"));
  TRY(stage(folder, staging, "lower"));
  Fd before(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!before || fchdir(staging) < 0) return fail_errno("cannot enter the staging folder");
  auto view = new_filesystem("overlay", {{"lowerdir", "missing:lower"}}, attributes);
  if (!view) {
    view.error().what =
        "denied programs cannot be taken away from a folder of this filesystem, or "
        "from one with other mounts in it";
    view.error().hint = "do not grant that folder, unmount what lies in it, or lift the rule";
    return view;
  }
  if (umount2("missing", MNT_DETACH) < 0 || umount2("lower", MNT_DETACH) < 0 ||
      fchdir(before.get()) < 0)
    return fail_errno("cannot leave the staging folder");
  return view;
}

namespace {

// Layers are named relative to the working folder: their trees have no path from the process's
// root.
Result<Fd> mount_layers(OverlayUse use, uint64_t attributes) {
  if (use == OverlayUse::looked_at)
    return new_filesystem("overlay", {{"lowerdir", "upper/upper:lower"}, {"userxattr", ""}},
                          attributes);
  Option layers[] = {{"lowerdir", "lower"}, {"upperdir", "upper/upper"}, {"workdir", "upper/work"}};
  if (use == OverlayUse::kept)
    return new_filesystem("overlay", {layers[0], layers[1], layers[2], {"userxattr", ""}},
                          attributes);
  return new_filesystem("overlay",
                        {layers[0], layers[1], layers[2], {"userxattr", ""}, {"volatile", ""}},
                        attributes);
}

}  // namespace

Status give_to_root(int fd) {
  if (fchownat(fd, "", 0, static_cast<gid_t>(-1), AT_EMPTY_PATH) < 0)
    return fail_errno("cannot give it to root");
  return {};
}

Result<Fd> new_overlay(int staging, int lower, int upper, uint64_t attributes, OverlayUse use) {
  TRY(stage(lower, staging, "lower"));
  TRY(stage(upper, staging, "upper"));
  Fd before(open(".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!before || fchdir(staging) < 0) return fail_errno("cannot enter the staging folder");
  auto overlay = mount_layers(use, attributes);
  if (!overlay) return overlay;
  // The overlay holds its layers; the staged mounts are no longer needed.
  if (umount2("lower", MNT_DETACH) < 0 || umount2("upper", MNT_DETACH) < 0 ||
      fchdir(before.get()) < 0) {
    return fail_errno("cannot leave the staging folder");
  }
  return overlay;
}

}  // namespace ringwall::sandbox
