// What a scan found in a tree, kept between runs: with it, a folder that did not change costs one
// stat instead of a listing, and a file whose content decides one stat instead of a look.
//
// The file lies where no sandbox can write. Still nothing in it is believed unseen: one that is
// damaged, too big or of another version is an empty index, and the tree is read anew.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/indexed_walk.h"
#include "base/result.h"

namespace ringwall::files {

// A folder of the tree. Its children stand side by side, and so do its notes.
struct IndexedFolder {
  uint64_t inode = 0;
  int64_t ctime = 0;  // nanoseconds; 0: not known well enough, list it again
  uint32_t first_child = 0;
  uint32_t children = 0;
  uint32_t first_note = 0;
  uint32_t notes = 0;
  uint32_t name = 0;  // in the index's texts
  uint16_t name_length = 0;
  uint16_t place = 0;  // what the scan knew of it from above; another place means other findings

  void forget_content() { children = notes = 0; }
};

// An entry of a folder that the scan must report, or look at each time.
struct Note {
  uint64_t inode = 0;
  int64_t ctime = 0;  // as above; unused where `watched` is 0
  uint32_t name = 0;
  uint32_t why_protected = 0;  // texts; 0: it is not
  uint32_t why_hidden = 0;
  uint32_t links = 1;
  uint16_t name_length = 0;
  uint8_t type = 0;          // DT_REG and so on
  uint8_t is_git = 0;        // a .git that is no folder
  uint8_t is_looked_at = 0;  // the content decides
  uint8_t watched = 0;       // a file that can change without its folder
  uint8_t leads_away = 0;    // a link, or in a git folder anything but a file or folder
  uint8_t unused = 0;
};

class Index {
 public:
  // Of other rules, or of nothing. The strings say which rules hold.
  Index() { clear({}); }
  void clear(std::string key);

  static Index read(const std::string& path);
  static Index parse(std::string_view bytes);

  // By a temporary name beside it. What is not in the tree any more is left out.
  Status write(const std::string& path) const;
  std::string serialize() const;

  const std::string& key() const { return key_; }
  // Since it was read.
  bool is_changed() const { return changed_; }
  void mark_changed() { changed_ = true; }

  // Forgets what no folder refers to any more.
  void pack();

  uint32_t add_text(std::string_view text);
  std::string_view name_of(const IndexedFolder& folder) const {
    return {texts_.data() + folder.name, folder.name_length};
  }
  std::string_view name_of(const Note& note) const {
    return {texts_.data() + note.name, note.name_length};
  }
  size_t text_size() const { return texts_.size(); }
  std::string_view text_at(uint32_t offset) const { return texts_.data() + offset; }

  // See base/indexed_walk.h.
  template <class Use>
  void visit_folders(Use&& use) const {
    ringwall::visit_folders(*this, use);
  }
  template <class Use>
  void visit_folders_by_level(size_t longest, Use&& use) const {
    ringwall::visit_folders_by_level(*this, longest, use);
  }

  std::vector<IndexedFolder> folders;  // [0] is the top
  std::vector<Note> notes;

 private:
  bool is_sound() const;
  bool name_is_sound(uint32_t offset, size_t length) const;

  std::string key_;
  std::string texts_;  // each ends with a NUL; the first is empty
  bool changed_ = false;
};

}  // namespace ringwall::files
