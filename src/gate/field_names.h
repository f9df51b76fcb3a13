// What the name of an argument says about its value, whoever made the name up: "command",
// "shellCommand", "REPO_PATH".
#pragma once

#include <string_view>

namespace ringwall::gate {

enum class FieldKind {
  other,
  command,    // for a shell, or a program and its arguments
  arguments,  // of a program that another field may name
  code,       // of some language, or for the input of some program
  sql,
  path,
};

FieldKind kind_of_field(std::string_view name);

}  // namespace ringwall::gate
