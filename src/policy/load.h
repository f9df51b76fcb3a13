// From the text of one policy to its settings. Everything that is wrong is reported at once, each
// with its place and what to write instead; an unknown key is an error, never ignored.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/values.h"

namespace ringwall::policy {

// In one list of a file. Each costs a part of the start, and a repository's file must not make it
// slow.
inline constexpr size_t kMostEntries = 2000;

struct Diagnostic {
  std::string place;  // "policy.toml:3:1"
  std::string what;
  std::string hint;
  uint32_t line = 0;  // 0: not of a file
  uint32_t column = 0;
};

// A field that no later layer may change.
struct Lock {
  const Field* field;
  Origin origin;
};

// One policy text: a file of some layer, a profile, or the flags of a command line.
struct PolicyText {
  Layer layer = Layer::person;
  std::string file;  // for messages
  std::vector<Setting> settings;
  std::vector<Lock> locks;    // of the organisation alone
  bool only_narrows = false;  // what gives more is refused by the merge
};

struct LoadedText {
  PolicyText text;
  std::vector<Diagnostic> diagnostics;  // if there are any, the text is not to be used
};

// `file` is for messages; paths are relative to its folder. A workspace's text only narrows.
LoadedText load_text(std::string_view toml, Layer layer, const std::string& file,
                     const std::string& home);

}  // namespace ringwall::policy
