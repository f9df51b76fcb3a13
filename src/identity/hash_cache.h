// Hashes of files that were read before, known again by FileKey alone. The file lies where no
// sandbox can write; one whose checksum is wrong is thrown away.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/result.h"
#include "base/walk_path.h"
#include "identity/file_key.h"

namespace ringwall::identity {

class HashCache {
 public:
  static HashCache read(const std::string& path);
  static HashCache parse(std::string_view bytes);
  // By a temporary name beside it: two runs at once lose at most what one of them has learned.
  Status write(const std::string& path);
  std::string serialize();

  const Digest* find(const FileKey& key) const;
  // The size of a content that was seen; nothing if it never was.
  std::optional<uint64_t> size_of(const Digest& digest) const;

  // A file so young that a later change could leave the same key is not remembered.
  void add(const FileKey& key, const Digest& digest);

  bool is_damaged() const { return damaged_; }
  bool is_changed() const { return changed_ || !added_.empty(); }
  size_t size() const { return known_.size() + added_.size(); }

 private:
  struct Entry {
    FileKey key;
    Digest digest;
    auto operator<=>(const Entry&) const = default;
  };
  void settle();  // puts what was added among the known

  std::vector<Entry> known_;  // sorted
  std::vector<Entry> added_;
  Moment moment_;
  bool changed_ = false;
  bool damaged_ = false;
};

}  // namespace ringwall::identity
