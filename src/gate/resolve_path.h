// Where a path leads, found as the kernel would: links, "..", /proc/self/root and its like. Reads
// links of what exists, nothing else, and not without end.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

namespace ringwall::gate {

// Remembers what it saw, for one call.
class PathResolver {
 public:
  // What is at `path` when every link is followed; the part that does not exist stays as it is.
  // `folder` is what /proc/self/cwd means. `path` is absolute. The path itself if links go in a
  // circle or there are too many.
  std::string resolve(std::string_view path, std::string_view folder);
  bool exists(const std::string& path) { return look(path).exists; }
  // What is there, and no link.
  bool is_folder(const std::string& path);

 private:
  struct Seen {
    bool exists = false;
    std::string target = {};  // of a link
  };
  struct Reached {
    std::string path = {};  // "" is the root
    bool exists = true;
    bool failed = false;  // a circle, or too long a way
  };
  const Seen& look(const std::string& path);
  Reached walk(Reached from, std::string_view path, std::string_view folder);

  std::unordered_map<std::string, Seen> seen_;
  std::unordered_map<std::string, bool> is_folder_;
  std::unordered_map<std::string, Reached> folders_;
};

}  // namespace ringwall::gate
