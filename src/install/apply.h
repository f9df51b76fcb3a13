// Makes the changes of a plan, and undoes them.
#pragma once

#include <string>
#include <vector>

#include "install/plan.h"

namespace ringwall::install {

// The manifest is written first. If a change fails, those before it are undone; of what cannot be,
// the error's hint says how to do it by hand, and the manifest keeps it.
Status apply(const Scope& scope, const Plan& plan, Manifest& manifest);

struct Undone {
  std::vector<std::string> restored;  // paths
  // What was changed since by somebody else, and how it was dealt with.
  std::vector<std::string> notes;
};
// All of one agent; with an empty name everything. What of the changes is left stays in the
// manifest.
Result<Undone> undo(const Scope& scope, Manifest& manifest, const std::string& agent);

}  // namespace ringwall::install
