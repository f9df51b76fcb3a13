// Reads a settings file of Claude Code (settings.json, settings.local.json, managed-settings.json):
// its permission rules, its sandbox and its variables; and writes the policy that comes nearest.
#pragma once

#include <string_view>

#include "policy/import_draft.h"

namespace ringwall::policy {

Imported import_claude(std::string_view json, const ImportSource& source);

}  // namespace ringwall::policy
