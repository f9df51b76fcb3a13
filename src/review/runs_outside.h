// Which changes of a review would run outside once they were applied: what P10 protects, and what a
// build, a package manager or a server runs later because it bears a certain name. The person sees
// these first, and an apply takes them over only when they are named.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/protected.h"
#include "review/outside_view.h"

namespace ringwall::review {

// Run by those who build, test, install or push; the person's own programs do so by the name alone.
struct LaterEntry {
  std::string_view patterns;  // as in the table of protected files, separated by spaces
  std::string_view why;       // who runs it, and when
};
std::span<const LaterEntry> later_entries();

struct RunsOutside {
  size_t change = 0;          // its place among the changes
  bool is_protected = false;  // by the table of protected files or the policy
  std::string why;
};

// In the order of the changes. In folders that package managers fill only what is protected counts:
// nobody looks through a registry's packages.
std::vector<RunsOutside> find_runs_outside(const changes::Changes& changes, const LayerView& layer,
                                           const files::ProtectedNames& names);

}  // namespace ringwall::review
