// Who is who: maps between ids inside, on this host, and on disk.
#pragma once

#include <sys/types.h>

#include "base/fd.h"
#include "base/result.h"
#include "sandbox/plan.h"

namespace ringwall::sandbox {

// The host id of every sandbox that root starts: it owns no file and no process besides.
inline constexpr uid_t kRootsGuestId = 0x52570000;

// And the one that shows as 0 in them, where one does.
inline constexpr uid_t kRootsStandIn = kRootsGuestId + 1;

Identity plan_identity(uid_t caller_uid, gid_t caller_gid, const std::string& user,
                       const std::string& group);

// Which id of this host can show as 0 inside, for this caller: tried, so that what is planned with
// it does not fail for it. An error says by its hint what mends it.
Result<uid_t> find_id_to_show_as_root(const Identity& identity);

// Written by the supervisor, since only root may map an id other than its own.
Status write_id_maps(pid_t child, const Identity& identity);

// The child becomes the mapped id. Before any exec: an unmapped id loses its capabilities there.
Status take_identity(const Identity& identity);

// A user namespace that maps the owner on disk to `identity`, for MOUNT_ATTR_IDMAP.
Result<Fd> user_namespace_mapping(uid_t disk_uid, gid_t disk_gid, const Identity& identity);

}  // namespace ringwall::sandbox
