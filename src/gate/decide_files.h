// Rules and packs against one file.
#pragma once

#include <functional>

#include "gate/named_file.h"
#include "gate/rule_index.h"
#include "gate/verdict.h"

namespace ringwall::gate {

// List: its name and nothing more; a person's rules take that for reading.
enum class FileAccess : uint8_t { read, write, list };

// Allowed only if its name and where it leads are.
Ruling judge_file(const RuleIndex& rules, const FileLook& look, FileAccess access,
                  const Anchors& anchors);

// Notes a file that would be read and that the run hides: the kernel refuses it, and tells nobody.
void note_hidden(const FileLook& look, FileAccess access, Rulings& rulings);

// A folder that is read with all that lies in it. `is_left_out` gets a path beneath it.
Ruling judge_whole_read(const RuleIndex& rules, const NamedFile& folder, const Anchors& anchors,
                        PathResolver& resolver,
                        const std::function<bool(std::string_view)>& is_left_out);

}  // namespace ringwall::gate
