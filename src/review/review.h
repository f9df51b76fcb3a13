// A review: what a run with --review has changed, in layers beside the real trees, until a person
// applies or discards it. One folder for each, below `reviews/` of Ringwall's state:
//
//   manifest.json   what it is of
//   0/upper, 0/work the layer of the first tree, as overlayfs writes it, and so on
//   applying        the id of an apply that is going on or was interrupted (session/apply_review.h)
//
// The layer is the agent's: every name, type, mode and attribute in it may be hostile.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::review {

struct ReviewTree {
  std::string path;                // the real folder; absolute, no link on the way
  std::string layer;               // folder of its layer in the review's folder: "0"
  uint64_t device = 0, inode = 0;  // of the real folder at the start
  // By the clock of its own filesystem: what has a later ctime was changed outside since the run
  // began.
  int64_t stamp = 0;

  bool operator==(const ReviewTree&) const = default;
};

// Where a link with a protected name led when the run began.
struct LinkEnd {
  std::string path;  // absolute
  std::string name;  // of the link, relative to its tree

  bool operator==(const LinkEnd&) const = default;
};

struct Review {
  std::string name;  // of the run
  std::string workspace;
  std::vector<std::string> command;
  int64_t started = 0;              // seconds since the epoch
  std::vector<ReviewTree> trees;    // the workspace first
  std::vector<std::string> apart;   // folders of the workspace that are not reviewed, relative
  std::vector<std::string> nested;  // mounts of the host in the trees, absolute: not reviewed
  // What the run protected besides the table: patterns.
  std::vector<std::string> protect = {}, unprotect = {};
  std::vector<LinkEnd> ends = {};

  bool operator==(const Review&) const = default;
};

std::string encode(const Review& review);
Result<Review> parse_review(std::string_view text);

// Makes the folder of a review with its layers and its manifest. `reviews` is the folder of all.
// One of this name that is there already is an error: it waits for a person.
Result<Fd> make_review(const std::string& reviews, const Review& review);

// Opens the folder of one that is there.
Result<Fd> open_review(const std::string& reviews, const std::string& name);
Result<Review> read_review(int folder);

bool has_review(const std::string& reviews, const std::string& name);

// Every one, the oldest first; a folder without a manifest that can be read is passed over.
Result<std::vector<Review>> list_reviews(const std::string& reviews);

// The one that a person means by `name`, or, without a name, the newest of the workspace that holds
// `folder`, else the only one there is. Errors say which there are.
Result<Review> choose_review(const std::string& reviews, const std::string& name,
                             const std::string& folder);

// Everything of it, also what the kernel closed to us.
Status remove_review(const std::string& reviews, const std::string& name);

}  // namespace ringwall::review
