// What a person has answered with "always": one value more in their own policy file.
#pragma once

#include <string>

#include "base/result.h"

namespace ringwall::cli {

// Says on stderr what was written, and where.
Status remember(const std::string& key, const std::string& value);

// The same in silence: what was written, as a sentence; empty if the file says so already.
Result<std::string> write_down(const std::string& key, const std::string& value);

}  // namespace ringwall::cli
