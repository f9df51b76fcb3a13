// What lay in the trees of a run at its start, and what was kept of it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "undo/saved_entry.h"

namespace ringwall::undo {

struct ManifestTree {
  std::string path;                // absolute
  uint64_t device = 0, inode = 0;  // of its top folder
  // By the clock of its filesystem when the look began: who was changed before that, and has the
  // same times later, is the same.
  int64_t clock = 0;
  bool whole = true;                     // no deletion by the command can have been missed
  std::vector<SavedEntry> entries = {};  // in the order of lies_before

  bool operator==(const ManifestTree&) const = default;
};

struct Manifest {
  std::vector<ManifestTree> trees;

  bool operator==(const Manifest&) const = default;
};

std::string encode(const Manifest& manifest);
Result<Manifest> parse_manifest(std::string_view bytes);

// Null if nothing lay there.
const SavedEntry* find_entry(const ManifestTree& tree, std::string_view path);
SavedEntry* find_entry(ManifestTree& tree, std::string_view path);

// In the folder of a run. One that is written is whole, whenever somebody is killed.
Status write_manifest(int run_folder, const Manifest& manifest);
Result<Manifest> read_manifest(int run_folder);
inline constexpr const char* kManifestName = "manifest";

// The digests that it names, each as often as it does.
Result<std::vector<Digest>> read_digests(int run_folder);

}  // namespace ringwall::undo
