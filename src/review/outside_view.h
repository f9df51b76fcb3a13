// One tree of a review as it would be once its changes were applied: looked up without a mount, by
// the changes first and in the real folder for all else.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "changes/change.h"
#include "review/review.h"

namespace ringwall::review {

struct LayerView {
  int upper, real;
  std::string path;                    // of the tree, absolute
  std::span<const std::string> trees;  // all that the run could write, absolute
  std::span<const LinkEnd> ends = {};
};

// As much of a file as anybody who judges it wants; more is an error.
Result<std::string> read_text_in(int tree, const std::string& path, size_t most);
Result<std::string> read_link_in(int tree, const std::string& path);

class ResultView {
 public:
  ResultView(const changes::Changes& all, LayerView layer);

  const LayerView& layer() const { return layer_; }
  const changes::Change* change_at(std::string_view path) const;
  // What will lie there, and what lies there now.
  changes::EntryFacts after(const std::string& path) const;
  changes::EntryFacts before(const std::string& path) const;
  // The names that the folder will hold.
  std::vector<std::string> list(const std::string& folder) const;

 private:
  const changes::Changes& all_;
  LayerView layer_;
  std::unordered_map<std::string_view, size_t> by_path_;
};

}  // namespace ringwall::review
