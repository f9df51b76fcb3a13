// What an apply would take over: every change of a review with what speaks against it, and which of
// them the person has chosen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "changes/change.h"
#include "files/protected.h"
#include "review/layer_changes.h"
#include "review/review.h"

namespace ringwall::review {

struct ApplyItem {
  enum class State : uint8_t {
    free,
    held,      // would run outside later, cannot be read, or may be the person's: only by its name
    conflict,  // the real file was changed since the run began: never
    gone,      // the real file is gone since: only by its name, nothing can be overwritten
    refused,   // a device or socket: never
  };
  changes::Change change;
  State state = State::free;
  std::string why;  // in a few words, of all that is not free
  bool is_chosen = false;
  bool is_named = false;     // itself, not a folder above it
  size_t parent = SIZE_MAX;  // the nearest folder above it among the items
};

struct ApplyTree {
  ReviewTree tree;
  Fd real, upper;
  std::vector<ApplyItem> items;  // a folder before what lies in it, which follows at once
  std::vector<Unread> unread;
  bool keeps_replaced = false;  // the journal does, for who takes it from there
};

// `folder` is the review's.
Result<std::vector<ApplyTree>> read_items(int folder, const Review& review,
                                          const files::ProtectedNames& names);

// Everything that is free.
void choose_all(std::vector<ApplyTree>& trees);
// What these name, and what is free below them. Absolute paths. An error if one names no change.
Status choose_paths(std::vector<ApplyTree>& trees, const std::vector<std::string>& paths);
// Absolute.
std::string path_of(const ApplyTree& tree, const ApplyItem& item);

}  // namespace ringwall::review
