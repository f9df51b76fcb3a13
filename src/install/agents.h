// The agents that can be walled by their plain name: the command, where its settings lie, and which
// of them let it work without walls.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/dialect.h"

namespace ringwall::install {

// One key of a settings file, "permissions.disableBypassPermissionsMode", and the JSON it must
// have.
struct ClosedHatch {
  std::string_view key;
  std::string_view value;
};

struct Agent {
  std::string_view name;     // of the command, and of its profile
  std::string_view package;  // npm's; empty: it comes otherwise
  // JSON files; for the person relative to the home. Empty: none that could shut anything.
  std::string_view settings;
  std::string_view system_settings;
  // Names a folder that is read in place of the first one of `settings`; empty: none does.
  std::string_view folder_variable;
  std::span<const ClosedHatch> hatches;
  std::optional<gate::Agent> hooks;  // it has hooks that can refuse
  // Why its hooks alone do not hold in a person's own settings; empty: nothing is known.
  std::string_view weakness;
};

std::span<const Agent> agents();
const Agent* agent_by_name(std::string_view name);  // null: no agent has that name
std::vector<std::string> agent_names();

}  // namespace ringwall::install
