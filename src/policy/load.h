// Reads a policy file. Everything that is wrong is reported at once, each with its place and what
// to write instead; an unknown key is an error, never ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "policy/policy.h"

namespace ringwall::policy {

struct Diagnostic {
  std::string place;  // "policy.toml:3:1"
  std::string what;
  std::string hint;
};

// Adds the values of the TOML text to `policy`. `file` is for messages; paths are relative to its
// folder.
std::vector<Diagnostic> load_text(Policy& policy, std::string_view toml, const std::string& file,
                                  const std::string& home);

// Opens the file: it must be a regular file that only its owner (the caller or root) can write.
Result<std::string> read_policy_file(const std::string& file, unsigned caller_uid);

}  // namespace ringwall::policy
