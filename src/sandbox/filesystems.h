// Detached mounts of the kinds a sandbox needs, by the kernel's new mount interface.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// A detached copy of the tree at `path`, mounts below it included: for paths of the system's.
Result<Fd> open_tree(const std::string& path);

// The same for paths that others may be changing: no component may be a symlink.
Result<Fd> open_tree_without_links(const std::string& path);

// The same, with the owner of `path` shown as `identity`. Needs root in the first user namespace.
Result<Fd> open_idmapped_tree(const std::string& path, const Identity& identity);

// A detached copy of the file or folder that `fd` is, without what is mounted below it.
Result<Fd> clone_of(int fd);

// Mounts `tree` over what `point` is.
Status move_over(int tree, int point);

// Adds MOUNT_ATTR_* flags to a detached tree and cuts it off from the host's later mounts. Flags
// inherited from the host are locked, so none is cleared.
Status set_attributes(int tree, uint64_t attributes,
                      unsigned recursive = 0x8000 /* AT_RECURSIVE */);

// A file or folder of a filesystem of ours then belongs to who shows as 0 inside.
Status give_to_root(int fd);

Result<Fd> new_tmpfs(const Mount& mount, uint64_t attributes);
Result<Fd> new_proc(uint64_t attributes);
Result<Fd> new_devpts(uint64_t attributes);
Result<Fd> new_mqueue(uint64_t attributes);

enum class OverlayUse {
  kept,       // changes go to `upper`, and are on the disk when it is unmounted
  quick,      // the same without waiting for the disk: whoever reads the layer later writes it back
  looked_at,  // nothing can be changed
};

// `lower` under `upper`/upper, with the trees attached below the folder `staging` for a moment.
Result<Fd> new_overlay(int staging, int lower, int upper, uint64_t attributes,
                       OverlayUse use = OverlayUse::kept);

// `folder` as it is, with everything called one of `names` missing. The names are gone whatever the
// host puts there later; the rest stays as the host has it.
Result<Fd> new_folder_without(int staging, int folder, const std::vector<std::string>& names,
                              uint64_t attributes);

}  // namespace ringwall::sandbox
