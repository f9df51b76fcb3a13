// What became of the trees of a run until its end: found by comparing what the kernel says of every
// entry then with what it said at the start.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "changes/change.h"
#include "undo/index_notes.h"
#include "undo/manifest.h"
#include "undo/tree_look.h"

namespace ringwall::undo {

struct Touched {
  using Kind = changes::Change::Kind;
  uint32_t tree = 0;  // index in the manifest
  Kind kind = Kind::changed;
  SavedEntry after;  // facts alone, and of a folder its attributes; of what was deleted its path
  bool is_renaming = false;  // of a deletion and of what was added: it is the same file
  bool was_folder = false;   // of a deletion
  bool operator==(const Touched&) const = default;
};

// Of files and links; folders are not counted.
struct Counts {
  uint64_t added = 0, changed = 0, deleted = 0, renamed = 0;
  uint64_t bytes = 0;  // of what was added and changed
  bool operator==(const Counts&) const = default;
};

struct Outcome {
  int64_t ended = 0;      // seconds since the epoch
  bool compared = false;  // else there was no time for it, and `touched` is empty
  // By the clock of each tree's filesystem: what has a later ctime was changed after the end.
  std::vector<int64_t> clocks = {};
  // If it was not compared: the same at its start (undo/late_compare.h).
  std::vector<int64_t> starts = {};
  bool has_earlier_manifest = false;  // which was made for an earlier run
  std::vector<Touched> touched = {};
  uint64_t unkept = 0;  // of what it changed or deleted: not kept
  std::vector<IndexNote> indexes = {};
  bool is_put_off() const { return !compared && !starts.empty(); }
  bool operator==(const Outcome&) const = default;
};

void compare(const ManifestTree& before, const std::vector<SavedEntry>& now, uint32_t tree,
             std::vector<Touched>& touched);
// Of those among what was touched.
std::vector<IndexNote> note_indexes(const std::vector<Touched>& touched,
                                    const std::vector<int>& trees);
// How many of them cannot be put back.
uint64_t count_unkept(const Manifest& before, const std::vector<Touched>& touched);
Counts count(const std::vector<Touched>& touched);

std::string encode(const Outcome& outcome);
Result<Outcome> parse_outcome(std::string_view bytes);
Status write_outcome(int run_folder, const Outcome& outcome);
// The errno is ENOENT if the run has not ended, or was killed.
Result<Outcome> read_outcome(int run_folder);

}  // namespace ringwall::undo
