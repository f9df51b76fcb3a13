// Policies that are shipped with Ringwall, for agents and toolchains: profiles/NAME.toml of the
// project, built into the program. Their text is read only when one is chosen.
//
// Each begins with comments that say what it is: "# agent: Claude Code", then lines such as
// "# programs: claude" whose words decide when it is chosen.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/load.h"

namespace ringwall::policy {

struct Profile {
  enum class Kind { agent, toolchain };

  std::string_view name;
  std::string_view text;

  Kind kind() const;
  std::string_view description() const;  // of the first line
  // What stands behind "# KEY: " in the comments at the top; empty if there is no such line.
  std::vector<std::string> words(std::string_view key) const;
};
std::string_view name_of(Profile::Kind kind);

// By name.
std::span<const Profile> profiles();
const Profile* profile_by_name(std::string_view name);

LoadedText load_profile(const Profile& profile, const std::string& home);

// docs/profiles.md
std::string profiles_page();

}  // namespace ringwall::policy
