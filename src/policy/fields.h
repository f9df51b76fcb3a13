// The one table of policy fields. The TOML reader, the flags of `run`, --explain, the JSON schema
// and docs/policy.md are all made from it; a default lives in policy.h and nowhere else.
#pragma once

#include <cstdint>
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
  pattern,     // names of files at any depth; policy/pattern.h
  home_path,   // relative to the home, no ".."
  cache,       // one of the caches
  variable,    // the name of an environment variable
  assignment,  // NAME=VALUE
  keys,        // ctrl-a d; the terminal room reads them
  on_off,
  count,       // 200
  size,        // 512M; K, M, G and T are powers of 1024
  duration,    // 90s, 30m, 1h30m
  processors,  // 1.5
};

using TextOf = Text& (*)(Policy&);
using ListOf = std::vector<Text>& (*)(Policy&);
using SwitchOf = Switch& (*)(Policy&);
struct NumberOf {
  Number& (*of)(Policy&);
  uint64_t least;
  uint64_t most;
  bool may_be_none;
};

struct Field {
  std::string_view key;    // "files.read"
  std::string_view flag;   // "--ro", or "-w,--workspace"
  std::string_view value;  // what the help shows for the value
  Shape shape;
  std::string_view help;
  std::variant<TextOf, ListOf, SwitchOf, NumberOf> member;
  bool widens;  // gives the inside more than the defaults do
};

// A limit bounds what is used up; raised, it still gives access to nothing more.
inline bool is_limit(const Field& field) { return field.key.starts_with("limits."); }

std::span<const Field> fields();
const Field* field_by_key(std::string_view key);

}  // namespace ringwall::policy
