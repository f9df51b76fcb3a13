// The first half of a keeper's work: from what lies in the trees to a manifest, with the contents
// in the store.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "changes/closed_file.h"
#include "undo/keeper.h"
#include "undo/manifest.h"
#include "undo/store.h"

namespace ringwall::undo {

// What the supervisor has said about the start of the command; asked again and again.
struct StartSign {
  bool started = false;
  bool over = false;            // the run has ended: nothing more needs to be read
  std::vector<int64_t> clocks;  // of each tree, just before it started
};

struct SnapshotRequest {
  const std::vector<KeeperTree>& trees;
  const std::set<std::string>& hidden;
  const std::set<file::Id>& passed_over;
  uint64_t size;
  // Takes what has come from the supervisor; false ends everything.
  std::function<bool(StartSign&)> look_for_start;
  // There is another manifest for a run that is over before this look.
  bool may_be_put_off = false;
  size_t expected = 0;  // entries, as an earlier look has found them
  // Opens for reading what its owner has closed to himself.
  std::function<Result<changes::ContentAndAttributes>(int tree, const std::string& path)>
      open_closed = {};
};

class Snapshot {
 public:
  explicit Snapshot(const SnapshotRequest& request);

  // Looks at every tree. An error means that nothing can be kept.
  Status look();
  // The run was over before all of a large tree was seen: there is no manifest.
  // Nothing is looked at.
  void put_off() { put_off_ = true; }
  bool was_put_off() const { return put_off_; }
  // Takes over what is known of untouched files, and reads the others into the store.
  void keep(Store& store, const std::vector<const ManifestTree*>& previous);

  const Manifest& manifest() const { return manifest_; }
  // Every entry was known before, and nothing is gone.
  bool is_same_as(const Manifest& other) const;

  const StartSign& sign() const { return sign_; }
  bool was_cut_short() const { return cut_short_; }
  // Of which an earlier run's bytes stand for those of the start.
  uint64_t earlier() const { return earlier_; }
  uint64_t files() const { return files_; }
  uint64_t bytes() const { return bytes_; }

 private:
  bool goes_on();
  void distrust(size_t index, int64_t top_changed, size_t first);
  void take_known(size_t tree, const ManifestTree* previous);
  void take_earlier(size_t tree, const ManifestTree* previous);
  void read_all(Store& store, bool large);
  void read_one(Store& store, size_t tree, SavedEntry& entry);
  Kept read_content(Store& store, size_t tree, SavedEntry& entry);
  Result<changes::ContentAndAttributes> open_content(int folder, const SavedEntry& entry);
  bool is_of_the_start(size_t tree, const SavedEntry& entry);

  const SnapshotRequest& request_;
  StartSign sign_;
  Manifest manifest_;
  uint64_t files_ = 0, bytes_ = 0, earlier_ = 0;
  // Of each tree, folders that the command may have changed before they were read; "" is the tree.
  std::vector<std::set<std::string>> late_;
  bool cut_short_ = false;
  bool put_off_ = false;
  bool is_full_ = false;
  bool has_read_ = false;
};

}  // namespace ringwall::undo
