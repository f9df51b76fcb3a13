// Says what appears in the folders of trees: one inotify watch for each folder. The kernel tells a
// name and the folder by number; where that folder lies now is known from what was told before, so
// a path is a hint, and whoever acts on it opens it anew.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::files {

struct Appeared {
  size_t tree = 0;
  std::string path;  // relative to the tree
  bool is_folder = false;
  enum class How { came, written, went } how = How::came;
};

struct Batch {
  std::vector<Appeared> appeared;  // or went away; or was written to, where that is watched
  bool lost = false;               // the kernel's queue was full: anything may have appeared
};

class TreeWatch {
 public:
  static Result<TreeWatch> open();
  int fd() const { return queue_.get(); }
  size_t folders() const { return places_.size(); }

  // A folder that is watched already gets its new path. `changes`: also what is written to files.
  Status add(size_t tree, int folder, const std::string& path, bool changes);

  // By its path alone, without opening it: for a long list. If a link was put in its place
  // meanwhile, another folder is watched under this name, and what is told of it is not there.
  Status add_by_path(size_t tree, int top, const std::string& path, bool changes);

  // What has been told so far; does not wait.
  Result<Batch> read();

 private:
  Status add_named(const std::string& name, size_t tree, const std::string& path, bool changes);

  struct Place {
    size_t tree;
    std::string path;
  };

  Fd queue_;
  std::unordered_map<int, Place> places_;
};

}  // namespace ringwall::files
