// The one table of promises: what `verify` prints a row for, and what docs/promises.md is made
// from.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sandbox/wall.h"

namespace ringwall::verify {

enum class Keeper {
  kernel,       // it cannot happen
  caught,       // undone within a stated time, and before the run returns
  with_root,    // only where Ringwall was given root
  with_cgroup,  // only where a cgroup was delegated
};

// Where a promise is shown to hold.
enum class ShownFrom {
  inside,   // by a probe behind the walls
  outside,  // by a check around whole runs
};

struct Promise {
  std::string_view number;   // "P07"
  std::string_view promise;  // in full
  std::string_view brief;    // for a table of 100 columns
  std::string_view tries;    // what the probe does
  std::string_view group;
  std::vector<Keeper> kept_by;
  std::vector<sandbox::Wall> walls;  // the ones behind it, the strongest first
  ShownFrom shown_from = ShownFrom::inside;
};

std::span<const Promise> promises();

std::string_view name_of(Keeper keeper);

// docs/promises.md.
std::string promises_page();

}  // namespace ringwall::verify
