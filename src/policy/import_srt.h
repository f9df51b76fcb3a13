// Reads the settings file of Anthropic's sandbox-runtime (srt), ~/.srt-settings.json, and writes
// the policy that comes nearest to it.
#pragma once

#include <string_view>

#include "policy/import_draft.h"

namespace ringwall::policy {

Imported import_srt(std::string_view json, const ImportSource& source);

}  // namespace ringwall::policy
