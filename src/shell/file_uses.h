// Which files an act reads, writes, changes or removes, by what is known of everyday programs. For
// a program that is not known, everything that looks like a path may be read.
#pragma once

#include <cstdint>
#include <vector>

#include "shell/analysis.h"

namespace ringwall::shell {

struct FileUse {
  enum class Kind : uint8_t {
    read,   // its content, or the names in a folder
    write,  // made, or its content replaced or added to
    remove,
    change,  // in place: owner, mode, content of an existing file
  };
  Word path;  // relative to Act::folder, as the program gets it
  Kind kind = Kind::read;
  bool certain = true;  // false: the program is not known, this is a guess
};

// Of an act that runs elsewhere, only the redirections are files here.
std::vector<FileUse> files_of(const Act& act);

}  // namespace ringwall::shell
