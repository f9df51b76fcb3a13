// The one table of walls: what each is made of, whether a run may go on without it, and what mends
// it.
//
// `run` names the wall when a step of the start fails, `doctor` tries each on this host, `verify`
// says which one kept a promise, docs/hosts.md is made from the table, and the mutation build takes
// walls away one by one to show that the probes notice.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace ringwall::sandbox {

enum class Wall {
  user_namespace,
  mount_namespace,
  pid_namespace,
  network_namespace,
  network_redirect,
  network_names,
  network_addresses,
  ipc_namespace,
  uts_namespace,
  cgroup_namespace,
  own_identity,
  keyring,
  new_root,
  read_only,
  fresh_proc,
  private_dev,
  private_home,
  socket_masks,
  later_sockets,
  protected_files,
  hidden_files,
  denied_programs,
  plant_watch,
  review_layer,
  environment,
  git_settings,
  descriptors,
  capabilities,
  no_new_privileges,
  landlock,
  system_calls,
  noexec_writable,
  exec_calls,
  exec_stop,
  own_terminal,
  terminal_filter,
  helper_walls,
  limits,
  record,
  lifeline,
};

enum class Need {
  required,  // cannot be built: the run is refused
  optional,  // a second wall, or one that some kernels cannot have: its absence is shown
};

struct WallFacts {
  Wall wall;
  std::string_view name;  // as used by messages and the mutation build
  Need need;
  std::string_view made_of;  // the kernel's part
  std::string_view keeps;    // what would be open without it
};

std::span<const WallFacts> walls();
const WallFacts& facts_of(Wall wall);
std::optional<Wall> wall_by_name(std::string_view name);

// True if this wall is to be left out. Always false in the released binary: only the build for
// tests (RINGWALL_MUTATIONS) reads the list from the environment.
#ifdef RINGWALL_MUTATIONS
bool is_taken_away(Wall wall);
#else
constexpr bool is_taken_away(Wall) { return false; }
#endif

}  // namespace ringwall::sandbox
