// Where cp, mv, ln, install and rsync put what they are given.
#pragma once

#include <optional>
#include <vector>

#include "gate/operands.h"

namespace ringwall::gate {

struct CopyTarget {
  std::optional<shell::Word> target;
  std::vector<shell::Word> sources;
  bool is_folder = false;  // by how it is written
};
// Nothing for a program that does not copy.
CopyTarget copy_target_of(const Operands& operands);
// False where that would find nothing.
bool may_copy(const std::vector<shell::Word>& words);

// What each source would be in the target: "authorized_keys" in ~/.ssh. Nothing if the target's
// name is that of a file and not of a folder.
std::vector<shell::Word> names_in_target(const CopyTarget& copy);

}  // namespace ringwall::gate
