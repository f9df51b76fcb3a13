// Where a walk through a tree is: the path of one folder, kept as text, and looked up from the
// tree's descriptor at each step, so that no descriptor is held for a level and a folder that is
// only asked for its times is never opened. Paths may be longer than the kernel takes at once.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"

namespace ringwall {

// What tells whether a file or folder is the one that was seen before, unchanged. A process can set
// mtime but not ctime, and whatever changes a folder's entries or a file's bytes changes that.
struct Mark {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t size = 0;
  int64_t ctime = 0;  // nanoseconds
  uint32_t links = 0;
  uint32_t owner = 0;
  mode_t mode = 0;
  bool is_mount = false;  // something is mounted here
};

// Of what a descriptor refers to, or of a name in the folder that it refers to. False and errno if
// the kernel does not say.
bool read_mark(int fd, Mark& mark);
bool read_mark_at(int dir, const std::string& name, Mark& mark);

// Follows no link and waits for nobody. Empty, and errno, on failure.
Fd open_file_at(int dir, const std::string& name);

// Times that came so near to a look that a later change could bear the same ones.
class Moment {
 public:
  Moment();
  bool is_settled(int64_t ctime) const;

 private:
  int64_t start_;
};

// True for filesystems of this machine's own, which stamp a folder whenever an entry comes or goes.
// Of others (network, FUSE, a Windows drive under WSL) that is not known.
bool stamps_folders(int folder);

class WalkPath {
 public:
  static constexpr size_t kLongest = 256 << 10;

  explicit WalkPath(int tree) : tree_(tree), ends_{0} {}

  // Goes to `name` in the folder of depth `depth - 1` of those that lead here; the top has depth 0.
  // False and errno if a folder on the way is gone, or if the path grows beyond kLongest.
  bool enter(size_t depth, std::string_view name);
  void leave_to(size_t depth);

  // From the top of the tree, which is empty.
  const std::string& text() const { return path_; }

  // All follow no link and wait for nobody. False, or an empty Fd, and errno on failure.
  bool look(Mark& mark);
  bool look_at(std::string_view name, Mark& mark);
  Fd open_folder() const;

 private:
  struct Anchor {
    size_t depth;
    size_t length;  // of its path
    Fd fd;
  };

  int base() const { return anchors_.empty() ? tree_ : anchors_.back().fd.get(); }
  // Relative to the base.
  const char* relative() const;

  int tree_;
  std::string path_;
  std::vector<size_t> ends_;  // lengths of the paths that lead here
  std::vector<Anchor> anchors_;
};

}  // namespace ringwall
