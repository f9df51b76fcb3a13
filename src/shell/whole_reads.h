// Folders that an act reads with all that lies in them: grep -r x ., tar c ., find . -exec cat {}
// +. What only looks at some of the files there (grep --include, find -name) or says no more than
// their names (grep -l) is not among them.
#pragma once

#include <vector>

#include "shell/analysis.h"
#include "shell/file_uses.h"

namespace ringwall::shell {

struct WholeRead {
  Word folder;                // relative to Act::folder, as the program gets it
  bool skips_hidden = false;  // names that begin with a dot are left out
};

// `files`: what files_of(act) gives.
std::vector<WholeRead> whole_reads_of(const Analysis& analysis, const Act& act,
                                      const std::vector<FileUse>& files);

}  // namespace ringwall::shell
