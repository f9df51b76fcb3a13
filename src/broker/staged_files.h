// What an index of git would have `git checkout .` write outside, where nobody asks again: paths
// that git itself would never put there, and protected files. The bytes are the agent's.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "files/protected.h"

namespace ringwall::broker {

inline constexpr size_t kMostIndex = size_t{128} << 20;

struct StagedFile {
  std::string what;        // mode and content
  bool is_hushed = false;  // git status says nothing of it
};

using Replacing = std::map<uint32_t, StagedFile>;  // by their numbers

struct IndexLook {
  std::string why;                           // not empty: git itself writes no such index
  std::string below;                         // of a split index: the file that holds the rest
  std::map<std::string, StagedFile> staged;  // protected ones, by their paths in the repository
  bool has_more = false;                     // of them than are counted here
  Replacing replacing;                       // entries of the file below
};

// `folder`: where the repository's files lie in the tree, as far as that is known; with a slash at
// its end unless it is the tree. `replacing`: what an index above says of its entries.
IndexLook look_into_index(std::string_view bytes, const files::ProtectedNames& names,
                          const std::string& folder, const Replacing& replacing = {});

// Of the git folder in which an index lies.
std::string folder_of_files(std::string_view index);

// Those of `now` that are not among `known`, in a few words: "a, b and 3 more". Empty: none.
using KnownStaged = std::set<std::pair<std::string, std::string>>;
std::string name_staged(const IndexLook& now, const KnownStaged& known);
// One of them that git status hushes up; empty: none.
std::string find_hushed(const IndexLook& now, const KnownStaged& known);

}  // namespace ringwall::broker
