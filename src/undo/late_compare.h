// What a run did whose trees were not compared when it ended: found out when somebody asks, by the
// clocks between which it went on.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "undo/manifest.h"
#include "undo/outcome.h"
#include "undo/tree_look.h"

namespace ringwall::undo {

// What differs, and was changed no earlier than at `start`. Of what is gone that is when the folder
// was changed which held it.
void compare_since(const ManifestTree& before, const Look& now, int64_t start, uint32_t tree,
                   std::vector<Touched>& touched);

// For who asks about several runs: each tree is looked at once, each manifest read once.
class LateComparer {
 public:
  explicit LateComparer(std::set<file::Id> passed_over) : passed_over_(std::move(passed_over)) {}

  // What was changed again after the run may be its doing too; then only the last of several runs
  // is certain.
  enum class Blame { possible, certain };
  // Fills in what a run did that was put off.
  Status complete(int run_folder, Outcome& outcome, Blame blame);

 private:
  Result<const Manifest*> manifest_of(int run_folder);
  Result<const Look*> look_of(const ManifestTree& tree);

  std::set<file::Id> passed_over_;
  std::map<file::Id, Manifest> manifests_;
  std::map<std::string, Look> looks_;
};

}  // namespace ringwall::undo
