// Judges links of a review: where they would lead once they were applied, and what they give a name
// at which it is obeyed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "review/outside_view.h"
#include "review/runs_outside.h"

namespace ringwall::review {

class LinkChanges {
 public:
  LinkChanges(const changes::Changes& all, const ResultView& view);

  // Nothing: it is no link, or stays in the trees.
  std::optional<RunsOutside> judge(const changes::Change& change) const;

  // The names that links of the review give to a path in packages.
  std::vector<std::string> other_names(const std::string& path) const;

 private:
  const ResultView& view_;
  std::multimap<std::string, std::string> renamed_;  // folders in packages, and links
};

}  // namespace ringwall::review
