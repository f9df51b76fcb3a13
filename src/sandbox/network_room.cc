#include "sandbox/network_room.h"

#include <linux/capability.h>
#include <sched.h>
#include <unistd.h>

#include "sandbox/helper_walls.h"

namespace ringwall::sandbox {
namespace {

// Rules and routes, and the sockets of the wall, whose ports are low.
constexpr uint32_t kRights = (1u << CAP_NET_ADMIN) | (1u << CAP_NET_BIND_SERVICE);

}  // namespace

Status enter_network_room(const NetworkRoom& room, pid_t parent) {
  TRY(die_with(parent));
  std::vector<int> kept = room.kept;
  kept.push_back(room.user_namespace);
  kept.push_back(room.network_namespace);
  TRY(close_all_but(kept));
  if (setns(room.user_namespace, CLONE_NEWUSER) < 0)
    return fail_errno("cannot join the sandbox's user namespace");
  if (setns(room.network_namespace, CLONE_NEWNET) < 0)
    return fail_errno("cannot join the sandbox's network");
  close(room.user_namespace);
  close(room.network_namespace);
  return keep_rights(kRights);
}

}  // namespace ringwall::sandbox
