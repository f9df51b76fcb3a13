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
  name,            // letters, digits, '.', '_' and '-'
  path,            // absolute, or relative to where it was written; ~/ is the home
  pattern,         // names of files at any depth; policy/pattern.h
  home_path,       // relative to the home, no ".."
  home_place,      // the same; with a slash at its end, a folder
  store,           // NAME:FOLDER, the folder relative to the home
  cache,           // one of the caches
  profile,         // one of the profiles; policy/profiles.h
  variable,        // the name of an environment variable
  assignment,      // NAME=VALUE
  host,            // api.example.com, *.example.com:8000-8100, 10.0.0.0/8:*; policy/hosts.h
  port,            // 5432
  published_port,  // 8080:80; policy/ports.h
  proxy,           // http://proxy.corp:3128; policy/ports.h
  keys,            // ctrl-a d; the terminal room reads them
  program,         // npx, sha256:…, file:/usr/bin/wget; policy/programs.h
  tool_rule,       // Bash(git push *), Read(~/.ssh/**); policy/tool_rules.h
  tool_pack,       // one of the shipped packs of such rules
  risk_act,        // one of the acts of a level; policy/risk_acts.h
  mcp_server,      // NAME=COMMAND ARGUMENTS
  advisor_url,     // https://HOST/v1/messages; base/http_url.h
  model_name,      // as a server has it
  key_place,       // env:NAME, file:PATH
  exec_mode,       // any, deny, allow
  guard_kind,      // none, tracepoints, lsm
  on_off,
  count,       // 200
  size,        // 512M; K, M, G and T are powers of 1024
  duration,    // 90s, 30m, 1h30m
  processors,  // 1.5
  share,       // 0.35
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

// What counts as less, for a layer that may only narrow. What neither gives nor takes but is the
// person's to choose (the run's name, the keys that leave it) cannot be chosen by such a layer
// either.
enum class Narrowing {
  foreign,  // not even a workspace's file that is trusted can say it
  never,    // any other value could be more
  adding,   // each entry takes something away
  on,       // the switch takes something away
  off,      // the switch gives something
  lower,    // a lower limit
  later,    // a later one of its choices
};

struct Field {
  std::string_view key;    // "files.read"
  std::string_view flag;   // "--ro", or "-w,--workspace"
  std::string_view value;  // what the help shows for the value
  Shape shape;
  std::string_view help;
  std::variant<TextOf, ListOf, SwitchOf, NumberOf> member;
  bool widens;  // gives the inside more than the defaults do
  Narrowing narrowing;
  std::string_view undoes = {};  // a lock on that field holds for this one too
};

// A limit bounds what is used up; raised, it still gives access to nothing more.
inline bool is_limit(const Field& field) { return field.key.starts_with("limits."); }

std::span<const Field> fields();
const Field* field_by_key(std::string_view key);

}  // namespace ringwall::policy
