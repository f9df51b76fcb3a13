// What lies at a path, whole: enough to put it back byte for byte.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace ringwall::install {

struct FileState {
  enum class Kind : uint8_t { absent, file, link, other };
  Kind kind = Kind::absent;
  std::string content = {};  // of a file (empty where it was not read), or where a link leads
  mode_t mode = 0;
  int64_t changed = 0;  // nanoseconds since 1970
  uid_t owner = 0;
  gid_t group = 0;
  bool whole = true;  // false: the content was too much to read

  bool is_file() const { return kind == Kind::file; }
  bool is_link() const { return kind == Kind::link; }
  bool is_absent() const { return kind == Kind::absent; }
};

// Reads no more than `most` of a file.
Result<FileState> look_at(const std::string& path, size_t most);

// The same thing, whenever it was made.
bool same_content(const FileState& one, const FileState& other);

// Puts it at `path`, in one step for who looks: content, mode, time, and owner for root.
Status put(const std::string& path, const FileState& state);

// What put() of a process that was killed has left beside it. Nobody else may be in put().
void remove_leftovers(const std::string& path);

// Makes what is missing of the folder; tells which ones it made, outermost first.
Result<std::vector<std::string>> make_folders(const std::string& folder, mode_t mode);

}  // namespace ringwall::install
