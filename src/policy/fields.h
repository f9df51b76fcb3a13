// The one table of policy fields. The TOML reader, the flags of `run`, --explain, the JSON schema
// and docs/policy.md are all made from it; a default lives in policy.h and nowhere else.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "policy/policy.h"

namespace ringwall::policy {

// What a value of the field is, which decides how it is checked and completed.
enum class Shape {
  name,        // letters, digits, '.', '_' and '-'
  path,        // absolute, or relative to where it was written; ~/ is the home
  home_path,   // relative to the home, no ".."
  cache,       // one of the caches
  variable,    // the name of an environment variable
  assignment,  // NAME=VALUE
  on_off,
};

using TextOf = Text& (*)(Policy&);
using ListOf = std::vector<Text>& (*)(Policy&);
using SwitchOf = Switch& (*)(Policy&);

struct Field {
  std::string_view key;    // "files.read"
  std::string_view flag;   // "--ro", or "-w,--workspace"
  std::string_view value;  // what the help shows for the value
  Shape shape;
  std::string_view help;
  std::variant<TextOf, ListOf, SwitchOf> member;
  bool widens;  // gives the inside more than the defaults do
};

std::span<const Field> fields();
const Field* field_by_key(std::string_view key);

}  // namespace ringwall::policy
