#include "undo/index_notes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>

#include "base/file.h"
#include "base/sha256.h"
#include "git/index_file.h"

namespace ringwall::undo {
namespace {}  // namespace

bool is_index(std::string_view path) {
  bool is_in_git = path.starts_with(".git/") || path.find("/.git/") != std::string_view::npos;
  return is_in_git && path.ends_with("/index");
}

std::optional<Digest> describe_index_at(int tree, const std::string& path, uint64_t& left) {
  auto file = file::open_beneath(tree, path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat seen;
  if (!file || fstat(file->get(), &seen) < 0 || !S_ISREG(seen.st_mode)) return std::nullopt;
  if (static_cast<uint64_t>(seen.st_size) > left) return std::nullopt;
  left -= static_cast<uint64_t>(seen.st_size);
  auto bytes = file::read_all(file->get(), static_cast<size_t>(seen.st_size));
  auto said = bytes ? git::describe_index(*bytes) : std::unexpected(bytes.error());
  if (!said) return std::nullopt;
  Sha256 hash;
  hash.add(said->data(), said->size());
  return hash.finish();
}

bool says_the_same(const std::vector<IndexNote>& notes, uint32_t tree, int folder,
                   const std::string& path) {
  auto is_this = [&](const IndexNote& note) { return note.tree == tree && note.path == path; };
  auto note = std::ranges::find_if(notes, is_this);
  if (note == notes.end()) return false;
  uint64_t left = kMostIndexes;
  auto now = describe_index_at(folder, path, left);
  return now && *now == note->digest;
}

}  // namespace ringwall::undo
