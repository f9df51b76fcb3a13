// Which programs and links lie in a tree, and the sizes of everything else in it, kept between
// runs: with it a folder that did not change costs one stat in place of a listing and a look at
// every file.
//
// The file lies where no sandbox can write. Still nothing in it is believed unseen: one whose
// checksum is wrong, or which is of another version, is thrown away, and the tree is read anew.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/indexed_walk.h"
#include "base/result.h"
#include "identity/file_key.h"
#include "identity/program_kind.h"

namespace ringwall::identity {

// Its children stand side by side, and so do its entries.
struct ListedFolder {
  uint64_t inode = 0;
  int64_t ctime = 0;  // nanoseconds; 0: not known well enough, list it again
  uint32_t first_child = 0;
  uint32_t children = 0;
  uint32_t first_entry = 0;
  uint32_t entries = 0;
  uint32_t name = 0;  // in the index's texts
  uint16_t name_length = 0;
  uint8_t programs = 0;  // 1: something in it can be started
  uint8_t examined = 0;  // 1: every file in it was looked into; else some by their mode alone
  uint32_t data = 0;     // how many files in it are none of the entries
  // Their sizes, where they were not looked into: reading the first bytes of every file of a system
  // would take half a minute. One with the size of what is denied is looked into then.
  uint32_t first_size = 0;

  void forget_content() { children = entries = data = 0; }
};

struct ListedFile {
  FileKey key;         // of a link: nothing
  uint32_t name = 0;   // in the index's texts
  uint32_t wraps = 0;  // text: what a wrapper script starts; 0: it is none
  uint16_t name_length = 0;
  ProgramKind kind = ProgramKind::none;
  uint8_t may_execute = 0;
  uint8_t is_settled = 0;  // 0: too young to be remembered
  uint8_t unused[3] = {};
};

class TreeIndex {
 public:
  TreeIndex() { clear({}); }
  // The key says for whom it holds: what is readable to one is closed to another.
  void clear(std::string key);

  // Of a file that is missing: empty. `is_damaged` tells one that was thrown away.
  static TreeIndex read(const std::string& path);
  Status write(const std::string& path) const;  // by a temporary name beside it
  std::string serialize() const;

  const std::string& key() const { return key_; }
  bool is_damaged() const { return damaged_; }
  bool is_changed() const { return changed_; }
  void mark_changed() { changed_ = true; }

  uint32_t add_text(std::string_view text);
  std::string_view name_of(const ListedFolder& folder) const {
    return {texts_.data() + folder.name, folder.name_length};
  }
  std::string_view name_of(const ListedFile& file) const {
    return {texts_.data() + file.name, file.name_length};
  }
  std::string_view text_at(uint32_t offset) const { return texts_.c_str() + offset; }
  size_t text_size() const { return texts_.size(); }

  // See base/indexed_walk.h.
  template <class Use>
  void visit_folders(Use&& use) const {
    ringwall::visit_folders(*this, use);
  }

  std::vector<ListedFolder> folders;  // the first is the top
  std::vector<ListedFile> files;
  std::vector<uint32_t> sizes;  // as far as they fit
  int64_t whole_at = 0;         // seconds: when every folder was looked at last

 private:
  struct Header;

  // Straight to where it stays: the index of a system has megabytes.
  bool fill(int fd);
  uint64_t checksum(const Header& header) const;
  bool is_sound() const;
  TreeIndex packed() const;

  std::string key_;
  std::string texts_;
  bool changed_ = false;
  bool damaged_ = false;
};

}  // namespace ringwall::identity
