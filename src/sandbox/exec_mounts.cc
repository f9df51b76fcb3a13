#include "sandbox/exec_mounts.h"

#include <algorithm>

#include "base/path.h"

namespace ringwall::sandbox {
namespace {

bool is_writable(const Mount& mount) {
  return mount.access == Access::write || mount.access == Access::write_data;
}

// The innermost mount with files of its own that holds `path`, or null.
const Mount* mount_of(const std::vector<Mount>& mounts, const std::string& path) {
  const Mount* innermost = nullptr;
  for (const Mount& mount : mounts) {
    bool has_files = mount.kind == Mount::Kind::bind || mount.kind == Mount::Kind::overlay ||
                     mount.kind == Mount::Kind::tmpfs || mount.kind == Mount::Kind::own_folder;
    bool holds = has_files && path::is_beneath(path, mount.target);
    bool is_inner = innermost == nullptr || mount.target.size() > innermost->target.size();
    if (holds && is_inner) innermost = &mount;
  }
  return innermost;
}

void give_own_mount(std::vector<Mount>& mounts, const std::string& tree) {
  const Mount* around = mount_of(mounts, tree);
  bool is_part = around != nullptr && around->kind == Mount::Kind::bind && is_writable(*around) &&
                 around->target != tree;
  if (!is_part) return;
  mounts.push_back({.kind = Mount::Kind::bind,
                    .target = tree,
                    .source = around->source + tree.substr(around->target.size()),
                    .access = Access::write,
                    .reason = "programs may run from here",
                    .callers_own = around->callers_own,
                    .rule = around->rule});
}

}  // namespace

void withhold_execution(std::vector<Mount>& mounts, const std::vector<std::string>& trees) {
  auto may_run = [&](const std::string& path) {
    return std::ranges::any_of(
        trees, [&](const std::string& tree) { return path::is_beneath(path, tree); });
  };
  for (const std::string& tree : trees)
    give_own_mount(mounts, tree);
  // What is protected in a writable tree could be written under another name.
  for (Mount& mount : mounts) {
    if (mount.kind != Mount::Kind::read_only || mount.access != Access::read) continue;
    const Mount* around = mount_of(mounts, mount.target);
    if (around != nullptr && is_writable(*around) && !may_run(mount.target))
      mount.access = Access::none;
  }
  for (Mount& mount : mounts) {
    if (mount.access == Access::write && !may_run(mount.target)) mount.access = Access::write_data;
  }
}

void withhold_memory_files(std::vector<Mount>& mounts) {
  for (Mount& mount : mounts) {
    if (mount.kind != Mount::Kind::proc) continue;
    mount.access = Access::read;
    mount.reason += "; read-only, so that no code is changed through it";
  }
}

}  // namespace ringwall::sandbox
