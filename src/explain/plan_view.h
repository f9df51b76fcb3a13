// Where a path leads inside, read from the plan of a run: the mounts are asked as the kernel would
// ask them, link by link, without building anything.
#pragma once

#include <string>

#include "sandbox/plan.h"

namespace ringwall::explain {

struct PlaceInside {
  std::string path;  // where the name leads, no link left
  std::string host;  // what of the host stands there; empty: nothing of the host
  const sandbox::Mount* mount = nullptr;      // the innermost that holds it; null: the bare root
  const sandbox::Mount* mask = nullptr;       // an unreadable file stands over it
  const sandbox::Mount* read_only = nullptr;  // it, or a folder above, cannot be changed
  bool exists = false;
  bool is_folder = false;
  bool is_circular = false;  // links that lead to themselves
};

// `path` is absolute.
PlaceInside find_inside(const sandbox::Plan& plan, const std::string& path);

}  // namespace ringwall::explain
