// Rules and packs against one file.
#pragma once

#include "gate/named_file.h"
#include "gate/rule_index.h"
#include "gate/verdict.h"

namespace ringwall::gate {

// List: its name and nothing more; a person's rules take that for reading.
enum class FileAccess : uint8_t { read, write, list };

// Allowed only if its name and where it leads are.
Ruling judge_file(const RuleIndex& rules, const FileLook& look, FileAccess access,
                  const Anchors& anchors);

}  // namespace ringwall::gate
