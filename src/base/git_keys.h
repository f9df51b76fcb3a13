// Keys of git's settings, and what the well-known ones make git do. Of git, not of Ringwall:
// whoever judges a command line, a repository or a config asks here, and decides for itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace ringwall::git {

// The parts of a key as git takes it apart: at the first and at the last dot.
struct Key {
  std::string_view section;
  std::optional<std::string_view> subsection;
  std::string_view variable;
};
Key split_key(std::string_view key);

// Section and variable in any case; a star for the subsection, or for all of a section ("alias.*").
bool matches_key(std::string_view pattern, const Key& key);

enum class Effect : uint8_t {
  runs,       // its value is a command or a program
  may_run,    // the rest of a section in which such keys stand: newer gits may know more of them
  hooks,      // its value is a folder whose programs git runs
  includes,   // its value is a file that git obeys as settings
  redirects,  // it leads fetches and pushes elsewhere, or past their checks
  changes,    // something else that is not for a run to change
};

struct KnownKey {
  std::string_view pattern;
  Effect effect;
  std::string_view does;    // "it <does>"
  std::string_view attack;  // the attack or CVE behind it; may be empty
};

// The first that matches counts. No wall may rest on this list being complete.
std::span<const KnownKey> known_keys();
const KnownKey* find_known(const Key& key);

}  // namespace ringwall::git
