// Git's index is written anew by every `git status`, also of an editor or a prompt, and nothing in
// it is other than before but times. So at the end of a run, or of an act, it is noted what an
// index says that it changed: who undoes it later sees whether anybody has staged something since.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace ringwall::undo {

struct IndexNote {
  uint32_t tree = 0;  // index in the manifest
  std::string path;
  Digest digest{};  // of what it says, times apart
  bool operator==(const IndexNote&) const = default;
};

// By its path: of a repository, a submodule or a worktree.
bool is_index(std::string_view path);

// Of all that a run has changed together: who waits for the end waits for this.
inline constexpr uint64_t kMostIndexes = 64 << 20;

// None if there is no index there, one of a form that is not known, or one of more bytes than are
// left, of which it takes its own.
std::optional<Digest> describe_index_at(int tree, const std::string& path, uint64_t& left);

// True if there is a note of this index, and it says the same now.
bool says_the_same(const std::vector<IndexNote>& notes, uint32_t tree, int folder,
                   const std::string& path);

}  // namespace ringwall::undo
