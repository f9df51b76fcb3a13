// Where an agent starts that was started in the home, which is never shown to one.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace ringwall::cli {

struct EmptyFolder {
  std::string path;
  Fd held;  // while it is open no other start uses, or empties, this folder
};

// One below the person's cache that no other start uses now. What an earlier one has left in it is
// removed: instructions that an agent wrote there would be those of every later one.
Result<EmptyFolder> take_empty_folder(const std::string& home);

// At the end of an installation; those that are in use stay.
void remove_empty_folders(const std::string& home);

}  // namespace ringwall::cli
