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

  // The names that links of the review give to a path in packages, and links that were there when
  // the run began to any.
  std::vector<std::string> other_names(const changes::Change& change) const;

 private:
  void add_names_of_start(const changes::Change& change, std::vector<std::string>& names) const;

  const ResultView& view_;
  std::multimap<std::string, std::string> renamed_;  // folders in packages, and links
  std::multimap<std::string, std::string> ends_;     // of links of the start, absolute, and these
};

}  // namespace ringwall::review
