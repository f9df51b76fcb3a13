// Git's index, which whoever can write the repository can write. Read as git reads it, or not at
// all: what git would take for other entries than we do is an error.
//
// Most changes of an index are none: every `git status` of an editor writes it anew with fresh
// times of the files. What counts is which content each path has in it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ringwall::git {

struct IndexEntry {
  // A folder of a sparse index ends with a slash. Empty: it replaces one of the index below.
  std::string_view path;
  uint32_t mode = 0;
  std::string_view id;  // of its content, as bytes
  uint16_t flags = 0;   // without the length of the name
  uint16_t more_flags = 0;

  // `git status` says nothing of it: assumed to be unchanged, or only meant to be added.
  bool is_hushed() const { return (flags & 0x8000) != 0 || (more_flags & 0x2000) != 0; }
};

// What an index says beside its entries.
struct IndexParts {
  // Of a split index: the name of the file that holds the other entries.
  std::string below;
  // Of its entries without a name, one after the other: the numbers of those that they replace.
  std::vector<uint32_t> replaced;
};

// `id_size`: 20 or 32, as the repository's config says. An error of `use` ends it.
Result<IndexParts> read_index(std::string_view bytes, size_t id_size,
                              const std::function<Status(const IndexEntry&)>& use);

// The same for two indexes that hold the same paths with the same content, modes and flags, also if
// times and sizes of files, or what git remembers to be quicker, differ. An index of a form that is
// not known, split ones among them, is an error.
Result<std::string> describe_index(std::string_view bytes);

}  // namespace ringwall::git
