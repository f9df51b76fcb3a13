// Reads the layer of a tree against the real folder: what the run has added, changed and deleted.
// Only the layer is walked, and of the real folder what the layer says is gone, so it takes as long
// as there are changes, whatever the size of the tree.
//
// Overlayfs copies a file into the layer when it is touched, opened for writing or linked: one that
// has the same type, mode, attributes, content and time is no change; one of which only the time is
// another is marked as that. One that has several names in the layer is always a change, so that
// its names can be made one file again. The times of folders come from what lies in them.
#pragma once

#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "changes/change.h"
#include "review/review.h"

namespace ringwall::review {

// Something that may hold changes and could not be looked at. What lies there is not among them:
// who shows them must say so, and who applies them cannot do so completely.
struct Unread {
  std::string path;
  std::string why;
};

struct LayerChanges {
  changes::Changes changes;
  std::vector<Unread> unread;
};

// `left_out` are paths relative to the tree; neither they nor what lies below are looked at.
// Fails if the layer holds more than can be kept in memory.
Result<LayerChanges> read_layer(int upper, int real, const std::vector<std::string>& left_out);

// The real folder of a tree; an error if another one stands in its place, or none. `before` and
// `after` of a change are looked up by its path: the one here, the other in the layer.
Result<Fd> open_real(const ReviewTree& tree);
Result<Fd> open_upper(int review, const ReviewTree& tree);

// What of a tree is not reviewed, relative to it.
std::vector<std::string> left_out_of(const Review& review, const ReviewTree& tree);

// All of it: with renamings found, and without those of a time alone where somebody has changed the
// real file since. `review` is the review's folder.
Result<LayerChanges> read_tree_changes(int folder, const Review& review, const ReviewTree& tree);

}  // namespace ringwall::review
