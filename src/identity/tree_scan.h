// Brings the index of a tree up to date: which programs, scripts, libraries and links lie in it.
// Works by descriptor and follows no link.
//
// A file that is changed in place, or gets an x bit, does not change its folder. So in trees that
// others than root can change each file is one stat, data too; in the system's, a folder that did
// not change, and each program in it.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "identity/tree_index.h"

namespace ringwall::identity {

enum class Look {
  // Every folder, every file.
  files,
  // Every folder, every program; in a small tree every file.
  whole,
  // In folders of the system that nobody but root can change: those which hold programs, and
  // those near the top. The others, and changes in place, were looked at not long ago, and will be
  // soon.
  programs,
};

struct ScanResult {
  size_t folders = 0;
  size_t listed = 0;    // of these, not known before or changed
  size_t examined = 0;  // files whose first bytes were read
};

// How many folders were listed so far; called now and then.
using Progress = std::function<void(size_t folders)>;

// Which of the files that may not be executed are looked into: all of them, or those of a size.
class SizeFilter {
 public:
  static SizeFilter everything();
  void add(uint64_t size);
  bool takes(uint32_t size) const {
    return all_ || (bits_[size % kBits] && std::binary_search(sizes_.begin(), sizes_.end(), size));
  }
  bool takes_all() const { return all_; }
  bool is_empty() const { return !all_ && sizes_.empty(); }
  static uint32_t as_kept(uint64_t size) {
    return size > UINT32_MAX ? UINT32_MAX : static_cast<uint32_t>(size);
  }

 private:
  static constexpr size_t kBits = 1 << 14;
  bool all_ = false;
  std::vector<uint32_t> sizes_;  // sorted
  std::bitset<kBits> bits_;
};

// `tree` is a folder, by any kind of descriptor. Folders of other people that are closed to us are
// passed over: the inside has the same id.
Result<ScanResult> scan_tree(int tree, TreeIndex& index, Look look, const Progress& progress = {});

// Looks into the files that the filter takes and that nobody has looked into yet; changes of the
// tree since it was scanned are taken in only where that leads.
Status examine_sizes(int tree, TreeIndex& index, const SizeFilter& filter,
                     const Progress& progress = {});

}  // namespace ringwall::identity
