// What the protected files of the start said last, each by itself. No mount of theirs can be
// written from inside, so that it is the person's, also after another file has come to its name.
//
// It is not read from the file when it is wanted: while a host program puts another one in its
// place, the mount is gone for a moment before the old file is, and somebody inside may write into
// that.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "broker/fresh_copy.h"
#include "files/watched_tree.h"

namespace ringwall::broker {

class HeldFiles {
 public:
  // The ordinary, small files among `paths`, absolute and beneath one of `trees`; not all if there
  // are very many.
  static HeldFiles of(const std::vector<files::WatchedTree>& trees,
                      const std::set<std::string>& paths);

  // One of them lies in this very folder.
  bool lie_in(const std::string& folder) const { return folders_.contains(folder); }
  bool has(const std::string& path) const { return files_.contains(path); }
  struct Place {
    size_t tree;
    std::string path;  // absolute
  };
  std::vector<Place> places() const;

  const FileCopy* last(const std::string& path, int64_t now) const;

  // Of one that is held, another content from here on.
  void replace(const std::string& path, FileCopy copy);

  // Somebody has written to it where it lies, and nobody inside can. Counts after a moment in which
  // no other file comes to its name.
  void written(const files::WatchedTree& tree, const std::string& path, int64_t now);

 private:
  struct Held {
    size_t tree;
    FileCopy copy;
    std::optional<FileCopy> later = std::nullopt;
    int64_t later_since = 0;
  };
  static bool counts(const Held& held, int64_t now);

  std::map<std::string, Held> files_;
  std::set<std::string, std::less<>> folders_;
};

}  // namespace ringwall::broker
