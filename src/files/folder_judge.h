// Judges the entries of one folder, and puts what is worth knowing of them into an index: its
// subfolders, and notes on protected, hidden and other special entries.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/folder_reader.h"
#include "base/result.h"
#include "base/walk_path.h"
#include "files/hidden.h"
#include "files/index.h"
#include "files/protected.h"

namespace ringwall::files {

// Where a folder lies, as IndexedFolder::place keeps it.
namespace place {
inline constexpr uint16_t kCovered = 1 << 0;   // in a protected folder, which is mounted as a whole
inline constexpr uint16_t kNamedGit = 1 << 1;  // called .git
inline constexpr uint16_t kInModules = 1 << 2;   // in GIT/modules, and in no git folder below that
inline constexpr uint16_t kWorktree = 1 << 3;    // GIT/worktrees/X
inline constexpr uint16_t kGitObjects = 1 << 4;  // GIT/objects, and what lies in it
inline constexpr uint16_t kIsGit = 1 << 5;       // seen from its entries, not from above
inline constexpr uint16_t kFromAbove = static_cast<uint16_t>(~kIsGit);
inline constexpr int kLevelShift = 8;  // above: how many levels below its git folder, 0 for none
inline constexpr uint16_t kMostLevels = 15;
}  // namespace place

class FolderJudge {
 public:
  FolderJudge(const ProtectedNames& protected_names, const HiddenNames& hidden_names, Index& index)
      : protected_(protected_names), hidden_(hidden_names), index_(index) {}

  // Lists `dir`, whose path in the tree is `path`, and replaces what the index knows of `folder`'s
  // entries. What it knows below is kept for those that are still there. Fails with an errno alone;
  // EACCES if the folder can be listed, but what is in it not be looked at.
  Status judge(int dir, uint32_t folder, const std::string& path, const Moment& moment);

  size_t looked_at = 0;
  bool lost_folders = false;  // the last listing lacked a subfolder that was known

 private:
  struct Seen {
    uint32_t name;
    uint16_t name_length;
    uint8_t type;
    bool may_match;
    HiddenNames::Verdict verdict;
  };
  struct Layout {
    bool head = false, objects = false, refs = false, commondir = false, config = false;
  };

  Status collect(int dir, const std::string& path, uint16_t place);
  void note_layout(const FolderReader::Entry& entry);
  bool is_git_folder(uint16_t place) const;
  std::optional<std::string_view> find_protection(const Seen& seen, std::string_view entry_path,
                                                  uint16_t place) const;
  void add_child(const Seen& seen, std::string_view parent_name, uint16_t place, bool covered);
  Status add_note(int dir, const Seen& seen, std::optional<std::string_view> protection,
                  uint16_t place, const Moment& moment);
  // Fills in what a file of `dir` says, reading it if its content decides. By the descriptor: the
  // folder may have moved away from its path. False and errno if the file is gone.
  bool examine(int dir, Note& note, const Moment& moment);
  void remember_children(uint32_t folder);
  uint32_t reason(std::string_view text);
  std::string_view name_of(const Seen& seen) const;
  // The content's verdict; nothing if it is fine.
  std::optional<std::string_view> look_into(int fd);

  const ProtectedNames& protected_;
  const HiddenNames& hidden_;
  Index& index_;
  FolderReader reader_;
  std::vector<Seen> seen_;
  Layout layout_;
  std::string entry_path_;  // of the entry that is judged
  std::string content_;
  std::unordered_map<std::string, uint32_t> known_children_;
  std::unordered_map<std::string, uint32_t> reasons_;
};

}  // namespace ringwall::files
