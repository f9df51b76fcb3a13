// Who is who: maps between ids inside, on this host, and on disk.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// The host id of every sandbox that root starts: it owns no file and no process besides.
inline constexpr uid_t kRootsGuestId = 0x52570000;

Identity plan_identity(uid_t caller_uid, gid_t caller_gid, const std::string& user,
                       const std::string& group);

// Written by the supervisor, since only root may map an id other than its own.
Status write_id_maps(pid_t child, const Identity& identity);

// The child becomes the mapped id. Before any exec: an unmapped id loses its capabilities there.
Status take_identity(const Identity& identity);

// A user namespace that maps the owner on disk to `identity`, for MOUNT_ATTR_IDMAP.
Result<Fd> user_namespace_mapping(uid_t disk_uid, gid_t disk_gid, const Identity& identity);

}  // namespace ringwall::sandbox
