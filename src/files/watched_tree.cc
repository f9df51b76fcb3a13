#include "files/watched_tree.h"

#include <fcntl.h>

#include <cerrno>

#include "base/file.h"
#include "base/path.h"

namespace ringwall::files {

std::string WatchedTree::whole(const std::string& relative) const {
  return relative.empty() ? path : path::join(path, relative);
}

std::string WatchedTree::relative(const std::string& whole) const {
  return whole.size() <= path.size() ? "" : whole.substr(path.size() + 1);
}

std::string parent_of(const std::string& relative) {
  size_t slash = relative.rfind('/');
  return slash == std::string::npos ? "" : relative.substr(0, slash);
}

Result<Fd> open_parent(const WatchedTree& tree, const std::string& relative) {
  std::string folder = parent_of(relative);
  constexpr int kFlags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  return file::open_beneath(tree.folder.get(), folder.empty() ? "." : folder, kFlags);
}

bool is_gone(const Error& error) {
  // EXDEV: it was moved out of the tree while it was being looked up.
  return error.err == ENOENT || error.err == ENOTDIR || error.err == ELOOP || error.err == EXDEV;
}

}  // namespace ringwall::files
