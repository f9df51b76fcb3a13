// Options of a command against those that a row of a pack names.
#pragma once

#include <string_view>

#include "gate/operands.h"

namespace ringwall::gate {

// "a|b|c" holds it.
bool is_listed(std::string_view list, std::string_view name);

// "-r" in "-rf", "--recursive" or a beginning of it, "-delete" as find writes it.
bool is_flag(std::string_view word, std::string_view wanted);

// "--method=DELETE", "--method DELETE", "-XDELETE", the value in whatever letters.
bool is_flag_with(const Operands& operands, size_t at, std::string_view name,
                  std::string_view value);

// One of "--dry-run|-n" is there and does what it says: not as another option's value, not taken
// back by a --no-dry-run, not "=false". In doubt it does not, so that a denial stays one.
bool is_in_force(const Operands& operands, std::string_view choices);

}  // namespace ringwall::gate
