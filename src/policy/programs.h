// How a program is named in exec.deny and exec.allow, and the choices of exec.mode and exec.guard.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "base/result.h"

namespace ringwall::policy {

struct ProgramRule {
  enum class Kind {
    name,        // npx: every file that PATH and the granted trees hold under that name
    content,     // sha256:…
    file,        // file:/usr/bin/wget: what this file holds when the run starts
    system,      // a class: what the read-only trees hold
    built_here,  // a class: what a linker wrote in this sandbox
  };
  Kind kind = Kind::name;
  std::string text;  // name, or path
  Digest digest = {};
};

// `~/` in a file's path is `home`. Classes are allowed, never denied.
Result<ProgramRule> parse_program_rule(std::string_view text, std::string_view home,
                                       bool may_be_class);

// From the one that forbids least to the one that forbids most.
std::span<const std::string_view> exec_modes();
std::span<const std::string_view> guard_kinds();

}  // namespace ringwall::policy
